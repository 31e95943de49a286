/** What nobody wants to read on a ticket, a voucher or a gift card. */
const rudeWords: readonly string[] = [
  ...['ANAL', 'ANUS', 'ARSCH', 'ARSE', 'ASS', 'BUTT', 'CRAP', 'CUM', 'CUNT', 'DAMN', 'FAG', 'FART', 'FKK'],
  ...[
    'FUCK',
    'FUCKU',
    'FUK',
    'FUX',
    'GAY',
    'HELL',
    'KKK',
    'LSD',
    'NAZE',
    'NSDAP',
    'NSU',
    'NUDE',
    'PEE',
    'PENS',
  ],
  ...['PUSSY', 'RAPE', 'SEX', 'SHAT', 'SLUT', 'SPAST', 'SUCK', 'TWAT', 'URANUS', 'WANK', 'XXX'],
]

/** Whether a code that was made at random says something rude. */
export const isRude = (code: string): boolean => rudeWords.some((word) => code.toUpperCase().includes(word))
