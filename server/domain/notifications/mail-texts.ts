import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { inLanguage } from '../text/multilingual.ts'

/** A text in several languages, with `{placeholders}`. */
export type Wording = Readonly<Record<string, string>>

/** The subject and the text of a mail. */
export interface MailWords {
  readonly subject: Wording
  readonly text: Wording
}

const greeting = { en: 'Hello {name},', de: 'Guten Tag {name},' }
const farewell = { en: 'Kind regards,\n{organizer}', de: 'Mit freundlichen Grüßen\n{organizer}' }
const about = {
  en: '{event}\n{when}\n{where}\n\nOrder {code}: {total}',
  de: '{event}\n{when}\n{where}\n\nBestellung {code}: {total}',
}
const comment = { en: '{comment}', de: '{comment}' }

/** Texts below each other, an empty line between them. */
const letter = (...paragraphs: readonly Wording[]): Wording => ({
  en: paragraphs.map((one) => one.en).join('\n\n'),
  de: paragraphs.map((one) => one.de).join('\n\n'),
})

/** The words of a mail that tells people what was changed about how they get in. */
const accountChange = (subject: Wording, change: Wording): MailWords => ({
  subject,
  text: letter(greeting, change, {
    en: 'If it was you, you need not do anything. If not, choose a new password at once, with “Forgotten your password?” on the login page, and tell whoever runs this server.',
    de: 'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wählen Sie sofort ein neues Passwort, mit „Passwort vergessen?“ auf der Anmeldeseite, und sagen Sie denen Bescheid, die diesen Server betreiben.',
  }),
})

/** The words of a mail unless the organizer has others. */
export const usualWords: Readonly<Record<MailTemplate, MailWords>> = {
  order_placed: {
    subject: { en: 'Your order {code}', de: 'Ihre Bestellung {code}' },
    text: letter(
      greeting,
      {
        en: 'thank you for your order. It is complete as soon as it is paid, at the latest on {expires}.',
        de: 'vielen Dank für Ihre Bestellung. Sie ist vollständig, sobald sie bezahlt ist, spätestens am {expires}.',
      },
      about,
      farewell,
    ),
  },
  order_paid: {
    subject: { en: 'Your tickets for {event}', de: 'Ihre Tickets für {event}' },
    text: letter(
      greeting,
      {
        en: 'thank you, your order is paid. Show your tickets at the entrance, printed or on your phone.',
        de: 'vielen Dank, Ihre Bestellung ist bezahlt. Zeigen Sie Ihre Tickets am Einlass, gedruckt oder auf dem Telefon.',
      },
      about,
      farewell,
    ),
  },
  order_changed: {
    subject: { en: 'Your order {code} was changed', de: 'Ihre Bestellung {code} wurde geändert' },
    text: letter(
      greeting,
      {
        en: 'your order was changed. This is how it stands now:',
        de: 'Ihre Bestellung wurde geändert. So sieht sie jetzt aus:',
      },
      about,
      farewell,
    ),
  },
  order_approved: {
    subject: { en: 'Your order {code} was approved', de: 'Ihre Bestellung {code} wurde angenommen' },
    text: letter(
      greeting,
      {
        en: 'your order was approved. It is complete as soon as it is paid, at the latest on {expires}.',
        de: 'Ihre Bestellung wurde angenommen. Sie ist vollständig, sobald sie bezahlt ist, spätestens am {expires}.',
      },
      about,
      farewell,
    ),
  },
  order_denied: {
    subject: {
      en: 'Your order {code} was not approved',
      de: 'Ihre Bestellung {code} wurde nicht angenommen',
    },
    text: letter(
      greeting,
      {
        en: 'we are sorry: your order was not approved.',
        de: 'Ihre Bestellung wurde leider nicht angenommen.',
      },
      comment,
      about,
      farewell,
    ),
  },
  order_canceled: {
    subject: { en: 'Your order {code} was canceled', de: 'Ihre Bestellung {code} wurde storniert' },
    text: letter(
      greeting,
      {
        en: 'your order was canceled. Its tickets are not valid any more.',
        de: 'Ihre Bestellung wurde storniert. Ihre Tickets gelten nicht mehr.',
      },
      comment,
      about,
      farewell,
    ),
  },
  order_tickets: {
    subject: { en: 'Your order {code}', de: 'Ihre Bestellung {code}' },
    text: letter(
      greeting,
      { en: 'here is your order once more.', de: 'hier ist Ihre Bestellung noch einmal.' },
      about,
      farewell,
    ),
  },
  waiting_list_voucher: {
    subject: { en: 'A place is free: {event}', de: 'Ein Platz ist frei: {event}' },
    text: letter(
      greeting,
      {
        en: 'you were waiting for {product}. A place is kept for you until {valid_until}. Use this voucher for it:',
        de: 'Sie haben auf {product} gewartet. Bis {valid_until} ist ein Platz für Sie frei. Nutzen Sie dafür diesen Gutschein:',
      },
      { en: '{voucher}', de: '{voucher}' },
      { en: '{event}\n{when}\n{where}', de: '{event}\n{when}\n{where}' },
      farewell,
    ),
  },
  team_invitation: {
    subject: {
      en: 'You are invited to work with {organizer}',
      de: 'Einladung zur Mitarbeit bei {organizer}',
    },
    text: letter(
      {
        en: 'Hello,\n\nyou are invited to the team “{team}” of {organizer}. Open this address to accept:',
        de: 'Guten Tag,\n\nSie sind in das Team „{team}“ von {organizer} eingeladen. Öffnen Sie diese Adresse, um anzunehmen:',
      },
      { en: '{url}', de: '{url}' },
      {
        en: 'If you do not know what this is about, you need not do anything.',
        de: 'Wenn Sie nicht wissen, worum es geht, müssen Sie nichts tun.',
      },
    ),
  },
  password_reset: {
    subject: { en: 'A new password', de: 'Ein neues Passwort' },
    text: letter(
      {
        en: 'Hello,\n\nsomebody asked for a new password for {email}. Open this address within an hour to choose one:',
        de: 'Guten Tag,\n\nfür {email} wurde ein neues Passwort verlangt. Öffnen Sie diese Adresse innerhalb einer Stunde:',
      },
      { en: '{url}', de: '{url}' },
      {
        en: 'If it was not you, leave this mail alone: the password stays as it is.',
        de: 'Wenn Sie das nicht waren, lassen Sie diese Mail liegen: das Passwort bleibt, wie es ist.',
      },
    ),
  },
  password_changed: accountChange(
    { en: 'Your password was changed', de: 'Ihr Passwort wurde geändert' },
    {
      en: 'the password of {email} was changed on {when}. Logins with the old one are ended.',
      de: 'das Passwort von {email} wurde geändert: {when}. Anmeldungen mit dem alten sind beendet.',
    },
  ),
  second_factor_on: accountChange(
    { en: 'Two-factor authentication is on', de: 'Zwei-Faktor-Anmeldung eingeschaltet' },
    {
      en: 'two-factor authentication was set up for {email} on {when}. A code is asked for at each login now.',
      de: 'für {email} wurde die Zwei-Faktor-Anmeldung eingerichtet: {when}. Bei jeder Anmeldung wird nun ein Code verlangt.',
    },
  ),
  second_factor_off: accountChange(
    { en: 'Two-factor authentication is off', de: 'Zwei-Faktor-Anmeldung ausgeschaltet' },
    {
      en: 'two-factor authentication was turned off for {email} on {when}. The password alone is enough to log in now.',
      de: 'für {email} wurde die Zwei-Faktor-Anmeldung ausgeschaltet: {when}. Zur Anmeldung genügt nun das Passwort.',
    },
  ),
  recovery_codes_new: accountChange(
    { en: 'New recovery codes', de: 'Neue Wiederherstellungscodes' },
    {
      en: 'new recovery codes were made for {email} on {when}. Those of before are not valid any more.',
      de: 'für {email} wurden neue Wiederherstellungscodes erzeugt: {when}. Die bisherigen gelten nicht mehr.',
    },
  ),
}

/** What placeholders stand for; in the text of an own mail others stay as they are written. */
export type MailValues = Readonly<Record<string, string>>

/**
 * A wording in a language with its placeholders filled in. Lines and paragraphs whose only content was an empty value
 * are left out, as is a space or comma left dangling behind an empty name.
 */
export function fillWording(wording: Wording, locale: string, values: MailValues): string {
  const lines = inLanguage(wording, locale).split(/\r?\n/)
  const filled = lines.flatMap((line) => {
    let isBlank = false
    const text = line.replace(/ ?\{([a-z_]+)\}/g, (found, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined) return found
      if (value === '') isBlank = true
      return value === '' ? '' : found.startsWith(' ') ? ` ${value}` : value
    })
    return isBlank && text.trim() === '' ? [] : [text]
  })
  return filled
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A subject: one line without anything that could begin another header. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 250)
