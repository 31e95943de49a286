import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { newSecret, signatureHeaders } from '../../../server/services/notifications/webhook-signature.ts'

describe('the signature of a message', () => {
  it('is that of the example in the specification', () => {
    const headers = signatureHeaders(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330_999,
      '{"test": 2432232314}',
    )
    assert.deepEqual(headers, {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('is the HMAC-SHA256 of the time and the body for each secret', () => {
    const key = new Uint8Array(32).fill(7)
    const secret = newSecret(() => key)
    const body = JSON.stringify({ name: 'Zoë', sign: '🎟', long: '€'.repeat(5_000) })
    const mac = createHmac('sha256', key).update(`msg_1.1614265330.${body}`).digest('base64')
    const headers = signatureHeaders([secret, secret], 'msg_1', 1_614_265_330_001, body)
    assert.equal(headers['webhook-signature'], `v1,${mac} v1,${mac}`)
  })

  it('is believed by the usual library with any of the secrets that are valid, and with no other', () => {
    const bytes = (value: number) => (count: number) => new Uint8Array(count).fill(value)
    const [first, second, other] = [1, 2, 3].map((value) => newSecret(bytes(value)))
    const body = JSON.stringify({ name: 'Zoë', sign: '🎟' })
    const headers = signatureHeaders([String(first), String(second)], 'msg_1', Date.now(), body)
    for (const secret of [first, second])
      assert.deepEqual(new Webhook(String(secret)).verify(body, headers), JSON.parse(body))
    assert.throws(() => new Webhook(String(other)).verify(body, headers))
    assert.throws(() => new Webhook(String(first)).verify(body, { ...headers, 'webhook-id': 'msg_2' }))
  })
})
