import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { smallBody } from '../../schema/body-limits.ts'
import { type Door, openDoor, scansOf, verdict } from '../routes/checkin/checkin-door.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'

describe('bodies of requests', () => {
  let door: Door
  let categories: string
  let redeem: string
  before(async () => {
    door = await openDoor(await openMemory())
    categories = `${door.server.ev}/categories/`
    redeem = `${door.server.org}/checkinrpc/redeem/`
  })
  after(() => door.server.close())

  const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    door.server.call('POST', path, body, headers)
  const detailOf = (answer: { body: unknown }) => {
    assert.deepEqual(Object.keys(answer.body as object), ['detail'])
    return (answer.body as { detail: string }).detail
  }
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  for (const text of [
    '{',
    '{"name"}',
    'name=x',
    '{"a":1}}',
    "{'a':1}",
    '\u0000',
    '{"a":\u0001"x"}',
    'undefined',
  ])
    it(`refuses ${JSON.stringify(text)} as no JSON`, async () => {
      for (const path of [categories, redeem]) {
        const answer = await post(path, text)
        assert.equal(answer.status, 400)
        assert.match(detailOf(answer), /^JSON parse error/)
      }
    })

  for (const text of ['null', '[]', '5', '"x"', 'true'])
    it(`refuses ${text} where an object is expected`, async () => {
      for (const path of [categories, redeem]) {
        const answer = await post(path, text)
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.body, { non_field_errors: ['Invalid data. Expected an object.'] })
      }
    })

  it('takes an empty body for an object without fields', async () => {
    for (const text of ['', '   ', '\n']) {
      const answer = await post(categories, text)
      assert.deepEqual([answer.status, Object.keys(answer.body as object)], [400, ['name']])
    }
  })

  it('refuses other types of content, and takes JSON under any of its names', async () => {
    const body = '{"name":{"en":"x"}}'
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await post(categories, body, { 'Content-Type': type })
      assert.equal(answer.status, 415, type)
      assert.match(detailOf(answer), /Unsupported media type/)
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON'])
      assert.equal((await post(categories, body, { 'Content-Type': type })).status, 201, type)
  })

  it('refuses JSON that is nested without end', async () => {
    for (const levels of [51, 1000, 30_000]) {
      const answer = await post(categories, `{"name":{"en":"x"},"more":${nested(levels)}}`)
      assert.equal(answer.status, 400, `${levels}`)
      detailOf(answer)
      assert.equal((await post(redeem, `{"secret":"x","lists":[],"more":${nested(levels)}}`)).status, 400)
    }
    assert.equal((await post(categories, `{"name":{"en":"x"},"more":${nested(40)}}`)).status, 201)
  })

  it('refuses NULs and broken Unicode where they would be stored, in keys too', async () => {
    for (const text of [
      '{"name":{"en":"a\\u0000b"}}',
      '{"name":{"en":"\\ud800"}}',
      '{"name":{"\\u0000":"x"}}',
      '{"name":{"en":"x"},"\\udfff":1}',
    ])
      assert.match(detailOf(await post(categories, text)), /cannot be stored/)
  })

  it('judges scanned codes with NULs and broken Unicode, with marks in their place', async () => {
    const codes = { 'a\\u0000b': 'a\ufffdb', 'x\\ud800y': 'x\ufffdy' }
    for (const [written, stored] of Object.entries(codes)) {
      const answer = await post(redeem, `{"secret":"${written}","lists":[${door.list}],"nonce":"${written}"}`)
      assert.equal(verdict(answer), '404 error invalid')
      assert.equal((await scansOf(door, stored)).length, 1)
    }
    assert.match(detailOf(await post(redeem, '{"\\u0000":1}')), /cannot be stored/)
  })

  it('does not let a body change what objects inherit', async () => {
    await post(redeem, `{"secret":"x","lists":[${door.list}],"__proto__":{"force":true},"constructor":{}}`)
    assert.equal(({} as { force?: boolean }).force, undefined)
  })

  it('refuses a body of more than its endpoint takes, announced or not', async () => {
    const huge = Buffer.alloc(smallBody + 1, 0x20)
    const send = (isAnnounced: boolean) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const asking = request(
          door.server.url + redeem,
          {
            method: 'POST',
            headers: {
              Authorization: 'Token all',
              'Content-Type': 'application/json',
              ...(isAnnounced ? { 'Content-Length': huge.length } : { 'Transfer-Encoding': 'chunked' }),
            },
          },
          async (answer) => {
            let body = ''
            for await (const part of answer) body += part
            resolve({ status: answer.statusCode ?? 0, body })
          },
        )
        asking.on('error', reject)
        asking.end(huge)
      })
    for (const isAnnounced of [true, false]) {
      const { status, body } = await send(isAnnounced)
      assert.equal(status, 413)
      assert.match(JSON.parse(body).detail, /larger than 64 KiB/)
    }
    assert.equal((await post(categories, `{"name":{"en":"x"}}${' '.repeat(200_000)}`)).status, 201)
  })

  it('is not ended by a request whose body breaks off', async () => {
    const { port } = new URL(door.server.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST ${redeem} HTTP/1.1\r\nHost: x\r\nAuthorization: Token all\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"secret":`,
          () => socket.destroy(),
        )
      })
      socket.on('close', () => resolve())
    })
    assert.equal(verdict(await door.redeem('still there')), '404 error invalid')
  })
})

describe('addresses of requests', () => {
  let door: Door
  before(async () => {
    door = await openDoor(await openMemory())
  })
  after(() => door.server.close())

  /** Asks for an address as it is written, which a client would put right. */
  const raw = (path: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const asking = request(
        {
          host: '127.0.0.1',
          port: new URL(door.server.url).port,
          path,
          headers: { Authorization: 'Token all' },
        },
        async (answer) => {
          let body = ''
          for await (const part of answer) body += part
          resolve({ status: answer.statusCode ?? 0, body })
        },
      )
      asking.on('error', reject)
      asking.end()
    })

  for (const path of [
    '/%',
    '/api/v1/organizers/%zz/',
    '/api/v1/organizers/acme/events/%e4/',
    '/%00',
    '/?a=%00',
  ])
    it(`refuses ${path} with 400`, async () => {
      const answer = await raw(path)
      assert.equal(answer.status, 400)
      assert.deepEqual(Object.keys(JSON.parse(answer.body)), ['detail'])
    })

  it('answers 404 for what there is not, whatever it looks like', async () => {
    for (const path of [
      '/api/',
      '/api/v1/nothing/',
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '//x//',
      '/api/v2/',
    ])
      assert.equal((await raw(path)).status, 404, path)
  })

  it('answers 404 for ids that no row can have', async () => {
    const { ev } = door.server
    for (const id of [
      '0',
      '-1',
      '1.5',
      '1e3',
      '9007199254740992',
      '99999999999999999999',
      'x',
      "1'--",
      '%20',
    ])
      for (const path of [
        `categories/${id}/`,
        `checkinlists/${id}/status/`,
        `checkinlists/${door.list}/positions/${id}/`,
      ])
        assert.equal((await raw(`${ev}/${path}`)).status, 404, path)
  })

  it('answers 404 for pages that there are not', async () => {
    for (const page of ['0', '-1', 'x', '1.5', '2', '999999999', '1e5', '99999999999999999999'])
      for (const path of ['categories/', `checkinlists/${door.list}/positions/`])
        assert.equal((await raw(`${door.server.ev}/${path}?page=${page}`)).status, 404, page)
  })
})
