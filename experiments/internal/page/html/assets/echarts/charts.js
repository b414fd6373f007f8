// The part of Apache ECharts that the reports use: build.sh makes echarts.min.js.gz of it.
import * as core from "echarts/core";
import { BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart } from "echarts/charts";
import {
  DataZoomInsideComponent, GraphicComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent, VisualMapContinuousComponent,
} from "echarts/components";
import { LabelLayout } from "echarts/features";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

core.use([
  BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart,
  DataZoomInsideComponent, GraphicComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent, VisualMapContinuousComponent,
  LabelLayout, CanvasRenderer, SVGRenderer,
]);
globalThis.echarts = { ...core }; // echarts-gl extends it
