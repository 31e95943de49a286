import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createRouter } from '../server/app.ts'
import { openData } from '../server/data.ts'
import { realEnv } from '../server/env.ts'
import { createLive } from '../server/http/live.ts'
import { silentLog } from '../server/log.ts'
import { openApiDocument } from '../server/openapi.ts'
import { openMemory } from './support/engines/sqlite-image.ts'

const file = new URL('../schema/openapi.json', import.meta.url)

interface Described {
  readonly operationId: string
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

describe('the description of the interface', () => {
  it('is the one that is committed (write it with: WRITE_OPENAPI=1 npx mocha --no-config test/openapi.test.ts)', async () => {
    const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`
    if (process.env.WRITE_OPENAPI) await writeFile(file, text)
    assert.ok((await readFile(file, 'utf8')) === text, 'schema/openapi.json is not up to date')
  })

  it('names every operation once', () => {
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, { operationId?: string }>> }
    const names = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    )
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) < index),
      [],
    )
  })

  it('tells what is sent to every route that takes something, and what it answers', () => {
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, Described>> }
    const operations = Object.values(paths).flatMap((methods) =>
      Object.entries(methods).filter(([method]) => method !== 'parameters'),
    )
    assert.ok(operations.length > 200)
    const silent = operations.filter(([, { responses }]) =>
      Object.entries(responses).some(
        ([status, { content }]) => !content && !['204', '304', '412'].includes(status),
      ),
    )
    const bodiless = operations.filter(
      ([method, { requestBody }]) => ['post', 'put', 'patch'].includes(method) && !requestBody,
    )
    assert.deepEqual(
      silent.map(([, { operationId }]) => operationId),
      [],
    )
    // These need nothing but the path.
    assert.deepEqual(bodiless.map(([, { operationId }]) => operationId).toSorted(), [
      'customer_anonymize',
      'device_revoke_by_organizer',
      'drawer_join',
      'invoice_regenerate',
      'invoice_reissue',
      'invoice_retransmit',
      'invoice_transmit',
      'order_create_invoice',
      'order_mark_expired',
      'order_mark_pending',
      'order_mark_refunded',
      'order_payment_cancel',
      'order_position_regenerate_secrets',
      'order_reactivate',
      'order_refund_cancel',
      'order_refund_done',
      'order_regenerate_secrets',
      'order_resend_link',
      'organizer_invoice_regenerate',
      'organizer_invoice_reissue',
      'own_device_revoke',
      'own_device_roll',
      'shredder_shred',
      'staff_sign_out',
      'waiting_list_entry_send_voucher',
    ])
  })

  it('tells of every route that there is, and of no other', async () => {
    const database = await openMemory()
    const transactions = await openData(database, realEnv)
    const router = createRouter({
      transactions,
      env: realEnv,
      log: silentLog,
      stationKey: null,
      live: createLive(realEnv),
      folder: null,
    })
    const shapeOf = (path: string): string => path.replace(/:\w+|\{\w+\}/g, '{}')
    // A layer with many methods is one that refuses the methods that a path does not have.
    const served = router.stack
      .filter((layer) => layer.methods.length <= 2)
      .flatMap((layer) =>
        layer.methods.filter((one) => one !== 'HEAD').map((one) => `${one} ${shapeOf(String(layer.path))}`),
      )
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> }
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
    )
    await database.close()
    assert.deepEqual(
      {
        untold: served.filter((one) => !described.includes(one)),
        unserved: described.filter((one) => !served.includes(one)),
      },
      { untold: [], unserved: [] },
    )
  })
})
