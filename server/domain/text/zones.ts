/** Whether a name is that of a time zone, such as Europe/Berlin. Plain offsets have no name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const relative =
  /^RELDATE\/\d{1,4}\/(?:-|(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)\/(?:date_from|date_to|date_admission|presale_start|presale_end)\/$/

/** Whether a text says a moment relative to a time of an event: `RELDATE/<days>/<time or ->/<which time>/`. */
export const isRelativeMoment = (text: string): boolean => relative.test(text)
