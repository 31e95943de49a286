/** What kind of answer a question wants. */
export type QuestionType = 'N' | 'S' | 'T' | 'B' | 'C' | 'M' | 'F' | 'D' | 'H' | 'W' | 'CC' | 'TEL'

/** The part of a question that validating an answer looks at. Numbers are decimal text, times UTC instants. */
export interface QuestionFacts {
  readonly id: number
  readonly type: QuestionType
  readonly required: boolean
  readonly items: readonly number[]
  readonly ask_during_checkin: boolean
  readonly valid_number_min: string | null
  readonly valid_number_max: string | null
  readonly valid_date_min: string | null
  readonly valid_date_max: string | null
  readonly valid_datetime_min: string | null
  readonly valid_datetime_max: string | null
  readonly valid_string_length_max?: number | null
  readonly options: readonly OptionFacts[]
}

/** One of the answers to choose from. */
export interface OptionFacts {
  readonly id: number
  readonly identifier: string | null
  readonly answer: Readonly<Record<string, string>>
}

/** A normalised answer: the text to be stored, and the ids of the options chosen. */
export interface ParsedAnswer {
  readonly answer: string
  readonly options: readonly number[]
}

/** A valid answer, or why it is not one. */
export type AnswerVerdict<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }
