/** Options of a survey: those of a check, and what it looks for besides. */
import { aboveZero, boolean, checkOptions, type OptionRules } from './option-rules.js';
import { CHECK_RULES, type CheckOptions, type ResolvedCheckOptions, SOLVER_DEFAULTS } from './options.js';

export interface SurveyOptions extends CheckOptions {
  /** Free units that fall farther than this until they meet something hover [m]. Default 1e-3, as `restTolerance` of a solve. */
  readonly hover?: number;
  /**
   * Also the overlaps between geoms of one fixed body. Scenery may be thousands of geoms made to touch each other, which nobody asks
   * about, and many exact queries. Default: false.
   */
  readonly insideFixed?: boolean;
}

/** Checked options of a survey, defaults filled in. */
export type ResolvedSurveyOptions = ResolvedCheckOptions & Required<Pick<SurveyOptions, 'hover' | 'insideFixed'>>;

const SURVEY_RULES: OptionRules<SurveyOptions> = { ...CHECK_RULES, hover: aboveZero(' [m]'), insideFixed: boolean };

/** @throws S4rError INVALID_OPTION for unknown names and impossible values. `undefined` means the default. */
export function resolveSurveyOptions(options?: SurveyOptions): ResolvedSurveyOptions {
  const { tolerance, threads, restTolerance: hover } = SOLVER_DEFAULTS;
  return { tolerance, threads, hover, insideFixed: false, ...checkOptions(options, SURVEY_RULES) };
}
