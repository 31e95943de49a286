import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { smallSizes } from './machines/hooks.ts'
import { mutants } from './mutants.ts'

const project = new URL('../../', import.meta.url)

describe('the patches of the simulation', () => {
  const patches = [...smallSizes, ...mutants.flatMap((one) => [one, ...(one.also ? [one.also] : [])])]

  it('fit the files that they change, each exactly once', () => {
    const times = ({ file, find }: (typeof patches)[number]): number =>
      readFileSync(new URL(file, project), 'utf8').split(find).length - 1
    assert.deepEqual(
      patches.filter((one) => times(one) !== 1).map(({ file, find }) => `${file}: ${find}`),
      [],
    )
  })
})
