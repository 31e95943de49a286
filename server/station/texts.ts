/** What a station says of itself at the door, by language. */
interface StationTexts {
  /** A list on which the server above decides, and it does not answer. */
  readonly noAnswer: string
  /** What turned out about somebody who was let in, by the kind of conflict; `{place}` is where the other scan was. */
  readonly late: Readonly<Record<string, string>>
  readonly elsewhere: string
}

const english: StationTexts = {
  noAnswer:
    'On this list the server decides, and it does not answer. Try again, or let somebody decide who may let people in by hand.',
  late: {
    double_entry: 'The same ticket was let in at {place} as well.',
    revoked_used: 'This ticket had been replaced by another one.',
    canceled_used: 'This ticket had been canceled.',
    unpaid_used: 'This ticket has not been paid.',
    blocked_used: 'This ticket is blocked.',
    rule_violation: 'The rules of this list do not let this ticket in at that time.',
    unknown_secret: 'Nobody knows this ticket.',
  },
  elsewhere: 'another entrance',
}

const german: StationTexts = {
  noAnswer:
    'Auf dieser Liste entscheidet der Server, und er antwortet nicht. Noch einmal versuchen oder jemanden holen, der von Hand einlassen darf.',
  late: {
    double_entry: 'Dasselbe Ticket wurde auch bei {place} eingelassen.',
    revoked_used: 'Dieses Ticket war durch ein anderes ersetzt.',
    canceled_used: 'Dieses Ticket war storniert.',
    unpaid_used: 'Dieses Ticket ist nicht bezahlt.',
    blocked_used: 'Dieses Ticket ist gesperrt.',
    rule_violation: 'Die Regeln dieser Liste lassen dieses Ticket zu dieser Zeit nicht ein.',
    unknown_secret: 'Niemand kennt dieses Ticket.',
  },
  elsewhere: 'einem anderen Eingang',
}

/** The texts in a language, in English where there are none in it. */
export const stationTexts = (locale: string): StationTexts => (locale.startsWith('de') ? german : english)
