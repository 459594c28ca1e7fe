import type { RenderedObject } from '../../core/model.js';
import { oncePer } from '../../core/once.js';
import type { ReportDescriptor } from '../rule.js';

type Report = (problem: ReportDescriptor) => void;

/** For what looks at nothing but one object: of the same one it says the same again, in the next round of `check --watch`. */
export function saidOfEach(judge: (object: RenderedObject, report: Report) => void): typeof judge {
  const said = oncePer((object: RenderedObject): readonly ReportDescriptor[] => {
    const problems: ReportDescriptor[] = [];
    judge(object, (problem) => problems.push(problem));
    return problems;
  });
  return (object, report) => said(object).forEach(report);
}
