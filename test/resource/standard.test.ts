import { fixtures } from '../fixtures/resources.ts'
import { makeWorld, type World } from '../fixtures/world.ts'
import { bothEngines, everyEngine } from '../support/engines/engines.ts'
import { isFull } from '../support/mocha/amount.ts'
import { checkConditions } from './standard-conditions.ts'
import { checkLists } from './standard-lists.ts'
import { checkMisfits, checkRefusals, checkRules } from './standard-refusals.ts'
import { checkTraces } from './standard-traces.ts'
import { checkWriting } from './standard-writing.ts'

const titleOf = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name.replaceAll('_', ' ')}`

/** What is the same in a file and in memory is tested on both where everything is. */
const tested = isFull ? everyEngine : bothEngines

for (const engine of tested)
  describe(`on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await makeWorld(engine)
    })
    after(() => world.server.close())

    for (const fixture of fixtures)
      describe(titleOf(fixture.resource.name), () => {
        // What is never changed once it is made is made by an endpoint of its own.
        if (fixture.resource.omit?.includes('update')) checkRules(fixture, () => world)
        else {
          checkWriting(fixture, () => world)
          if (isFull || engine === tested[0]) checkMisfits(fixture, () => world)
          checkRefusals(fixture, () => world)
        }
        checkLists(fixture, () => world)
        checkTraces(fixture, () => world)
        checkConditions(fixture, () => world)
      })
  })
