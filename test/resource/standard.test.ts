import type { Fixture } from '../fixtures/fixture.ts'
import { fixtures } from '../fixtures/resources.ts'
import { makeWorld, type World } from '../fixtures/world.ts'
import { bothEngines, everyEngine } from '../support/engines/engines.ts'
import { isFull } from '../support/mocha/amount.ts'
import { checkConditions } from './standard-conditions.ts'
import { checkLists } from './standard-lists.ts'
import { checkMisfits, checkRefusals, checkRules } from './standard-refusals.ts'
import { checkTraces } from './standard-traces.ts'
import { checkValues, checkWriting } from './standard-writing.ts'

const titleOf = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name.replaceAll('_', ' ')}`

/** What is the same in a file and in memory is tested on both where everything is. */
const tested = isFull ? everyEngine : bothEngines

/** What of a resource depends on the kind of database. */
function checkOnEngine(fixture: Fixture, worldNow: () => World): void {
  if (!fixture.resource.omit?.includes('update')) checkValues(fixture, worldNow)
  checkLists(fixture, worldNow)
  checkConditions(fixture, worldNow)
}

/** All that a resource promises. */
function checkAll(fixture: Fixture, worldNow: () => World): void {
  // What is never changed once it is made is made by an endpoint of its own.
  if (fixture.resource.omit?.includes('update')) checkRules(fixture, worldNow)
  else {
    checkWriting(fixture, worldNow)
    checkMisfits(fixture, worldNow)
    checkRefusals(fixture, worldNow)
  }
  checkTraces(fixture, worldNow)
  checkOnEngine(fixture, worldNow)
}

for (const engine of tested)
  describe(`on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await makeWorld(engine)
    })
    after(() => world.server.close())

    const check = isFull || engine === tested[0] ? checkAll : checkOnEngine
    for (const fixture of fixtures)
      describe(titleOf(fixture.resource.name), () => check(fixture, () => world))
  })
