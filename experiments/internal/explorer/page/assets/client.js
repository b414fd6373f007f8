// Client asks the worker for the answers that the page does not have. The latest request of a channel wins: an earlier
// one is dropped if it waits, and abandoned, with its worker, if it has run for long.
class Client {
  static patience = 1000; // milliseconds: a new worker can answer after a third of that
  static pause = 200; // milliseconds without a request, after which nobody is moving a slider

  constructor(makeWorker) {
    this.makeWorker = makeWorker;
    this.waiting = [];
    this.running = null;
    this.count = 0;
    this.start();
  }

  start() {
    this.ready = this.makeWorker().then((worker) => new Promise((done, fail) => {
      this.worker = worker;
      this.worker.onerror = (e) => fail(new Error(e.message));
      this.worker.onmessage = ({ data }) => {
        if (data.ready) return data.problem ? fail(new Error(data.problem)) : done();
        if (data.module) return void (this.module = data.module); // for workers after this one
        if (data.progress) return this.running?.progress?.(data.progress);
        this.finish(data);
      };
    }));
    this.idle = false;
    this.ready.then(() => { this.idle = true; this.next(); }, () => {});
  }

  // ask returns the answer to a request, or null if a newer request of its channel came. Meanwhile progress is called
  // with how far the simulator is.
  ask(request, channel = request.do, progress = null) {
    return new Promise((done, fail) => {
      for (const old of this.waiting.filter((r) => r.channel === channel)) old.done(null);
      this.waiting = this.waiting.filter((r) => r.channel !== channel);
      const kept = keptAnswer(request);
      if (kept) done(kept);
      if (!kept) this.waiting.push({ id: ++this.count, request, channel, progress, done, fail });
      const r = this.running;
      if (r && r.channel === channel) {
        clearTimeout(r.timer);
        r.timer = setTimeout(() => this.running === r && this.abandon(), Math.max(0, Client.patience - (performance.now() - r.began)));
      }
      this.next();
    });
  }

  // warm repeats requests while there are no others, so that the browser has compiled the simulator and the drawing
  // well before a slider is moved. It ends if one takes so long that it would noticeably delay the next request.
  async warm(requests, draw, rounds = 10) {
    for (const make of Array(rounds).fill(requests).flat()) {
      while (!this.idle || this.running || this.waiting.length || performance.now() - this.answered < Client.pause) await new Promise((done) => setTimeout(done, 50));
      const r = await this.ask({ ...make(), fresh: true }, "warm").catch(() => null);
      if (!r || r.took > Client.patience) return;
      draw(r);
    }
  }

  // stop drops the requests of a channel, also one that runs.
  stop(channel) {
    for (const old of this.waiting.filter((r) => r.channel === channel)) old.done(null);
    this.waiting = this.waiting.filter((r) => r.channel !== channel);
    if (this.running?.channel === channel) this.abandon();
  }

  abandon() {
    clearTimeout(this.running.timer);
    this.worker.terminate();
    this.running.done(null);
    this.running = null;
    this.start();
  }

  next() {
    if (!this.idle || this.running || !this.waiting.length) return;
    const r = (this.running = this.waiting.shift());
    r.began = performance.now();
    this.worker.postMessage({ id: r.id, request: r.request });
  }

  finish({ id, json, timeline, took }) {
    const r = this.running;
    if (!r || r.id !== id) return;
    clearTimeout(r.timer);
    this.running = null;
    if (r.channel !== "warm") this.answered = performance.now();
    const answer = JSON.parse(json);
    if (answer.error) r.fail(Object.assign(new Error(answer.error.text), { input: answer.error.input }));
    else r.done({ answer, json, timeline: timeline ? timeline.buffer : null, took });
    this.next();
  }
}

// keptAnswer returns an answer that the page was made with, for its first scenario or the text of a lesson, or null.
function keptAnswer(q) {
  const kept = KEPT[`${q.do} ${q.file}`];
  if (!kept || q.fresh || q.set?.length || q.links || q.why || q.timeline === false) return null;
  return { answer: JSON.parse(kept.json), json: kept.json, timeline: kept.timeline ? bytesOf(kept.timeline).buffer : null, took: 0 };
}
