/** A quotient rounded to the nearest whole number; halves go away from zero, as merchants round. The divisor is positive. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/** The smallest amount that a currency has coins for, in hundredths: 1 for the euro, 100 for the yen. */
export function smallestAmount(currency: string): number {
  const { maximumFractionDigits: decimals = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return 10 ** (2 - Math.min(decimals, 2))
}

/** An amount times a fraction, in hundredths, rounded half-up to whole steps. All numbers are whole. */
export function timesFraction(amount: number, numerator: number, denominator: number, step: number): number {
  const steps = divideHalfUp(BigInt(amount) * BigInt(numerator), BigInt(denominator) * BigInt(step))
  return Number(steps) * step
}
