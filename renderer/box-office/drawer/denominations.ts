/** The notes and coins of a currency by their worth, the largest first. */
interface Denominations {
  readonly notes: readonly string[]
  readonly coins: readonly string[]
}

const listed = (notes: string, coins: string): Denominations => ({
  notes: notes.split(' ').map((worth) => `${worth}.00`),
  coins: coins.split(' ').map((worth) => Number(worth).toFixed(2)),
})

const cents = '0.50 0.20 0.10 0.05 0.02 0.01'

/** What is in use, as the central banks list it. */
const known: Readonly<Record<string, Denominations>> = {
  EUR: listed('500 200 100 50 20 10 5', `2 1 ${cents}`),
  CHF: listed('1000 200 100 50 20 10', '5 2 1 0.50 0.20 0.10 0.05'),
  GBP: listed('50 20 10 5', `2 1 ${cents}`),
  USD: listed('100 50 20 10 5 2 1', '0.50 0.25 0.10 0.05 0.01'),
  CAD: listed('100 50 20 10 5', '2 1 0.25 0.10 0.05'),
  AUD: listed('100 50 20 10 5', '2 1 0.50 0.20 0.10 0.05'),
  NZD: listed('100 50 20 10 5', '2 1 0.50 0.20 0.10'),
  SEK: listed('1000 500 200 100 50 20', '10 5 2 1'),
  NOK: listed('1000 500 200 100 50', '20 10 5 1'),
  DKK: listed('500 200 100 50', '20 10 5 2 1 0.50'),
  ISK: listed('10000 5000 2000 1000 500', '100 50 10 5 1'),
  PLN: listed('500 200 100 50 20 10', `5 2 1 ${cents}`),
  CZK: listed('5000 2000 1000 500 200 100', '50 20 10 5 2 1'),
  HUF: listed('20000 10000 5000 2000 1000 500', '200 100 50 20 10 5'),
  RON: listed('500 200 100 50 20 10 5 1', '0.50 0.10 0.05 0.01'),
  JPY: listed('10000 5000 2000 1000', '500 100 50 10 5 1'),
}

/** Of a currency that is not listed: what most have. */
const usual = listed('200 100 50 20 10 5', `2 1 ${cents}`)

/** The notes and coins of a currency. */
export const denominationsOf = (currency: string): Denominations => known[currency] ?? usual
