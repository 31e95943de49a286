/** Minutes between the attempts to send a mail: a day and a half in all. */
const pauses = [1, 5, 15, 30, 60, 120, 240, 480, 480, 720]

/** Seconds until a mail is tried again after so many failed attempts, or null when it is given up. */
export function pauseAfter(attempts: number): number | null {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : pause * 60
}

/**
 * Whether a text can be the address of a mail: something before and after one `@`, at most 254 characters, no space, no
 * sign that would end it in a header. Whether somebody reads there only their server knows.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/u.test(text)
