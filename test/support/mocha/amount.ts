/** Whether everything is tested, however long it takes. */
export const isFull = Boolean(process.env.GATEHOUSE_TEST_FULL)

/**
 * How much of something is tested. `full` is what has been promised, such as a server killed fifty times; it is tested
 * where GATEHOUSE_TEST_FULL is set, as `.ci/run` does. `npm test` makes do with the usual amount and takes minutes; the
 * check before each commit, which sets GATEHOUSE_TEST_QUICK, with a quick one.
 */
export function amount(full: number, usual: number, quick = usual): number {
  if (isFull) return full
  return process.env.GATEHOUSE_TEST_QUICK ? quick : usual
}
