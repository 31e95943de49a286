import { baseLanguage } from '../text/multilingual.ts'

/** What can be wrong with an answer. */
export type Fault =
  | 'required'
  | 'text'
  | 'tooLong'
  | 'option'
  | 'optionMissing'
  | 'optionForeign'
  | 'optionUnwanted'
  | 'oneOption'
  | 'boolean'
  | 'number'
  | 'tooManyDigits'
  | 'tooLow'
  | 'tooHigh'
  | 'date'
  | 'time'
  | 'datetime'
  | 'tooEarly'
  | 'tooLate'
  | 'country'
  | 'file'

const english: Readonly<Record<Fault, string>> = {
  required: 'An answer to this question is required.',
  text: 'This is not a valid text.',
  tooLong: 'This answer is too long.',
  option: 'This is not one of the options.',
  optionMissing: 'Please choose one of the options.',
  optionForeign: 'The option does not belong to this question.',
  optionUnwanted: 'This question has no options to choose from.',
  oneOption: 'Please choose only one option.',
  boolean: 'Please answer with "true" or "false".',
  number: 'This is not a valid number.',
  tooManyDigits: 'This number has too many digits.',
  tooLow: 'This number is too low.',
  tooHigh: 'This number is too high.',
  date: 'This is not a valid date.',
  time: 'This is not a valid time.',
  datetime: 'This is not a valid date and time.',
  tooEarly: 'This is too early.',
  tooLate: 'This is too late.',
  country: 'This is not a known country code.',
  file: 'Please upload the file first.',
}

const german: Readonly<Record<Fault, string>> = {
  required: 'Diese Frage muss beantwortet werden.',
  text: 'Das ist kein gültiger Text.',
  tooLong: 'Diese Antwort ist zu lang.',
  option: 'Das ist keine der Auswahlmöglichkeiten.',
  optionMissing: 'Bitte eine der Auswahlmöglichkeiten wählen.',
  optionForeign: 'Diese Auswahlmöglichkeit gehört nicht zu dieser Frage.',
  optionUnwanted: 'Bei dieser Frage gibt es nichts auszuwählen.',
  oneOption: 'Bitte nur eine Auswahlmöglichkeit wählen.',
  boolean: 'Bitte mit „true“ oder „false“ antworten.',
  number: 'Das ist keine gültige Zahl.',
  tooManyDigits: 'Diese Zahl hat zu viele Stellen.',
  tooLow: 'Diese Zahl ist zu klein.',
  tooHigh: 'Diese Zahl ist zu groß.',
  date: 'Das ist kein gültiges Datum.',
  time: 'Das ist keine gültige Uhrzeit.',
  datetime: 'Das ist keine gültige Kombination aus Datum und Uhrzeit.',
  tooEarly: 'Dieser Zeitpunkt ist zu früh.',
  tooLate: 'Dieser Zeitpunkt ist zu spät.',
  country: 'Das ist kein bekannter Ländercode.',
  file: 'Bitte die Datei zuerst hochladen.',
}

const languages: ReadonlyMap<string, Readonly<Record<Fault, string>>> = new Map([
  ['en', english],
  ['de', german],
])

/** What is wrong with an answer, in a language, else in English. */
export function faultText(fault: Fault, locale: string): string {
  return (languages.get(baseLanguage(locale)) ?? english)[fault]
}
