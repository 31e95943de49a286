import assert from 'node:assert/strict'
import { type Field, marksOf } from '../../schema/fields.ts'
import type { Fixture } from '../fixtures/fixture.ts'
import type { World } from '../fixtures/world.ts'
import { ask, makeFull, mutableFields, pathOf, subjectOf } from './subject.ts'

const nowhere = 8_999_999_999_999

/** Values that a field must refuse, for what they are. */
function wrongValues(field: Field<unknown>): readonly unknown[] {
  const schema = field as { readonly enum?: unknown; readonly type?: unknown; readonly maxLength?: number }
  const types = [schema.type].flat()
  switch (marksOf(field).kind) {
    case 'flag':
      return ['maybe', 2, {}, []]
    case 'id':
    case 'integer':
      return ['many', 1.5, 1e300, {}, []]
    case 'float':
      return ['north', {}, []]
    case 'text':
      return [schema.enum ? 'none of these' : 'x'.repeat((schema.maxLength ?? 5000) + 1), {}, [], true]
    case 'money':
      return ['much', '1.234', '123456789012.00', '1,50', {}, []]
    case 'percent':
      return ['half', '100.01', '-0.01', '1.234', {}]
    case 'decimal':
      return ['pi', '1e5', {}]
    case 'multilingual':
      return [7, ['a'], { en: 7 }]
    case 'datetime':
      return ['soon', '2030-02-30T00:00:00Z', '2030-01-01T25:00:00Z', 5, {}]
    case 'date':
      return ['soon', '2030-13-01', '2030-01-01T00:00:00Z', 5]
    case 'time':
      return ['soon', '25:00', 5]
    case 'ref':
      return ['this', nowhere, 1e300, {}, 1.5]
    case 'refs':
      return ['this', ['x'], [nowhere], [1e300], {}]
    case 'texts':
      return ['this', [7], {}]
    case 'json':
      return types.includes('array') ? ['this', {}, 7] : ['this', [], 7]
  }
}

/** Checks that a resource takes nothing that its declaration speaks against, before the database is asked for anything. */
export function checkMisfits(fixture: Fixture, worldNow: () => World): void {
  it('refuses values that do not fit their field, and names the field', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const path = pathOf(subject, await makeFull(subject))
    const before = await ask(subject, 'GET', path, 200)
    for (const [name, field] of mutableFields(fixture)) {
      for (const value of wrongValues(field)) {
        const refused = await ask(subject, 'PATCH', path, 400, { [name]: value })
        assert.deepEqual(Object.keys(refused), [name], JSON.stringify(value).slice(0, 50))
      }
    }
    assert.deepEqual(await ask(subject, 'GET', path, 200), before)
  })

  it('refuses bodies that are no object', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    for (const body of [[], 7, 'text', null]) {
      const sent = JSON.stringify(body)
      assert.deepEqual(Object.keys(await ask(subject, 'POST', subject.path, 400, sent)), ['non_field_errors'])
    }
    assert.deepEqual(Object.keys(await ask(subject, 'POST', subject.path, 400, '{"name":')), ['detail'])
  })
}

/** Checks that a resource takes nothing that its rules speak against, and says where it is. */
export function checkRefusals(fixture: Fixture, worldNow: () => World): void {
  it('takes null where nothing is an answer, and nowhere else', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const path = pathOf(subject, await makeFull(subject))
    const special = new Set([...(fixture.neverNull ?? []), ...(fixture.filledIn ?? [])])
    for (const [name, field] of mutableFields(fixture)) {
      const { nullable } = marksOf(field)
      if (special.has(name) && nullable) continue
      const answer = await ask(subject, 'PATCH', path, nullable ? 200 : 400, { [name]: null })
      if (nullable) assert.equal(answer[name], null, name)
      else assert.deepEqual(answer, { [name]: ['This field may not be null.'] })
    }
  })

  checkRules(fixture, worldNow)
}

/** Checks that a resource takes nothing that its rules speak against, when it is made and, where it can be, changed. */
export function checkRules(fixture: Fixture, worldNow: () => World): void {
  const isChanged = !fixture.resource.omit?.includes('update')

  it('refuses what is against its rules, whenever it is sent', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const { world } = subject
    const path = pathOf(subject, await makeFull(subject))
    for (const [change, key] of fixture.refused(world)) {
      const made = { ...fixture.full(world, world.next()), ...change }
      const { path: collection } = await subjectOf(world, fixture)
      assert.deepEqual(Object.keys(await ask(subject, 'POST', collection, 400, made)), [key])
      if (!isChanged) continue
      // What stays as it was made is not looked at in a change.
      if (Object.keys(change).every((name) => fixture.resource.immutable?.includes(name))) continue
      assert.deepEqual(Object.keys(await ask(subject, 'PATCH', path, 400, change)), [key])
    }
  })
}
