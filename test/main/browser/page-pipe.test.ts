import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { pageBridge } from '../../../main/browser/page-bridge.ts'
import { pageLock } from '../../../main/browser/page-lock.ts'
import { steerPage } from '../../../main/browser/page-pipe.ts'
import { shellAnswers } from '../common/shell-answers.ts'

const PAGE = { targetId: 'T1', type: 'page', url: 'data:,' }

function startSteering(isLocked = false, asked: unknown[] = []) {
  const input = new PassThrough()
  const output = new PassThrough()
  let crashes = 0
  const page = steerPage(input, output, {
    isLocked,
    answers: shellAnswers(asked),
    onCrash() {
      crashes++
    },
  })
  const requests: { readonly method: string; readonly params: { readonly source?: string } }[] = []
  const ids: number[] = []
  function read(): void {
    for (const part of String(input.read() ?? '').split('\0')) {
      if (part === '') continue
      const { id, ...request } = JSON.parse(part)
      assert.equal(typeof id, 'number')
      ids.push(id)
      requests.push(request)
    }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  async function say(...messages: object[]) {
    for (const message of messages) output.write(`${JSON.stringify(message)}\0`)
    await turn()
  }
  return {
    input,
    output,
    page,
    crashes: () => crashes,
    /** What was sent since the last time, without the running numbers. */
    sent() {
      read()
      return requests.splice(0)
    },
    /** Says something as the browser. */
    say,
    /** Answers whatever the browser was asked, until nothing more is asked. */
    async answer() {
      for (read(); ids.length > 0; read()) await say(...ids.splice(0).map((id) => ({ id, result: {} })))
    },
  }
}

const created = (targetInfo: object) => ({ method: 'Target.targetCreated', params: { targetInfo } })
const attached = (sessionId: string, targetInfo: object) => ({
  method: 'Target.attachedToTarget',
  params: { sessionId, targetInfo },
})
const navigate = (url: string, sessionId: string) => ({ method: 'Page.navigate', params: { url }, sessionId })

describe('the pipe to a page', () => {
  it('asks for pages at once', () => {
    assert.deepEqual(startSteering().sent(), [
      { method: 'Target.setDiscoverTargets', params: { discover: true } },
    ])
  })

  it('loads the address as soon as there is a page that has its shell', async () => {
    const { page, sent, say, answer } = startSteering()
    page.navigate('http://127.0.0.1:1/')
    sent()
    await say(created({ targetId: 'W', type: 'browser' }), created(PAGE))
    assert.deepEqual(sent(), [{ method: 'Target.attachToTarget', params: { targetId: 'T1', flatten: true } }])
    await say(attached('S1', PAGE))
    assert.deepEqual(
      sent().filter(({ method }) => method === 'Page.navigate'),
      [],
    )
    await answer()
    assert.deepEqual(sent(), [navigate('http://127.0.0.1:1/', 'S1')])
    page.navigate('http://127.0.0.1:2/')
    assert.deepEqual(sent(), [navigate('http://127.0.0.1:2/', 'S1')])
  })

  it('waits for an address when the page comes first', async () => {
    const { page, sent, say, answer } = startSteering()
    await say(created(PAGE), attached('S1', PAGE))
    await answer()
    sent()
    page.navigate('http://127.0.0.1:1/')
    assert.deepEqual(sent(), [navigate('http://127.0.0.1:1/', 'S1')])
  })

  it('reads messages that come in pieces or together', async () => {
    const { page, sent, answer, output } = startSteering()
    page.navigate('http://127.0.0.1:1/')
    const text = `${JSON.stringify(created(PAGE))}\0${JSON.stringify(attached('S1', PAGE))}\0`
    for (const character of text) output.write(character)
    await new Promise((resolve) => setImmediate(resolve))
    await answer()
    assert.deepEqual(sent().at(-1), navigate('http://127.0.0.1:1/', 'S1'))
  })

  it('steers one page and takes the next when that is closed', async () => {
    const { page, sent, say, answer } = startSteering()
    const other = { ...PAGE, targetId: 'T2' }
    page.navigate('http://127.0.0.1:1/')
    await say(created(PAGE), attached('S1', PAGE), created(other))
    await answer()
    assert.equal(sent().filter(({ method }) => method === 'Target.attachToTarget').length, 1)
    await say(
      { method: 'Target.targetDestroyed', params: { targetId: 'T1' } },
      created(other),
      attached('S2', other),
    )
    assert.equal(sent().at(-1)?.method, 'Page.addScriptToEvaluateOnNewDocument')
    await answer()
    assert.deepEqual(sent(), [navigate('http://127.0.0.1:1/', 'S2')])
  })

  it('locks a page before it is loaded', async () => {
    const { page, sent, say, answer } = startSteering(true)
    page.navigate('http://127.0.0.1:1/')
    await say(created(PAGE), attached('S1', PAGE))
    await answer()
    const messages = sent().slice(2)
    assert.deepEqual(
      messages.map(({ method }) => method),
      [
        'Browser.setDownloadBehavior',
        'Page.enable',
        'Runtime.enable',
        'Runtime.addBinding',
        'Page.addScriptToEvaluateOnNewDocument',
        'Page.addScriptToEvaluateOnNewDocument',
        'Page.navigate',
      ],
    )
    assert.deepEqual(
      messages.slice(4, 6).map(({ params }) => params.source),
      [pageBridge, pageLock],
    )
  })

  const context = (id: number, more: object = {}) => ({
    method: 'Runtime.executionContextCreated',
    params: {
      context: {
        id,
        origin: 'http://127.0.0.1:1',
        auxData: { isDefault: true, frameId: 'T1' },
        ...more,
      },
    },
  })
  const leaving = (
    executionContextId: number,
    payload = '{"id":5,"channel":"window:leave","value":{"pin":"4711"}}',
  ) => ({
    method: 'Runtime.bindingCalled',
    params: { name: 'gatehouseCalls', payload, executionContextId },
  })

  it('answers what its page asks of the shell', async () => {
    const asked: unknown[] = []
    const { page, sent, say } = startSteering(true, asked)
    page.navigate('http://127.0.0.1:1/open')
    await say(created(PAGE), attached('S1', PAGE), context(3))
    sent()
    await say(leaving(3))
    assert.deepEqual(asked, [{ pin: '4711' }])
    const expression = `gatehouseAnswers(5, true, ${JSON.stringify('{"ok":true}')})`
    const params = { expression, contextId: 3 }
    assert.deepEqual(sent(), [{ method: 'Runtime.evaluate', params, sessionId: 'S1' }])
  })

  it('answers nobody else: no other site, no frame, no script beside, no page that is gone', async () => {
    const asked: unknown[] = []
    const { page, sent, say } = startSteering(true, asked)
    page.navigate('http://127.0.0.1:1/open')
    await say(
      created(PAGE),
      attached('S1', PAGE),
      context(3),
      context(4, { origin: 'http://127.0.0.1:2' }),
      context(5, { auxData: { isDefault: true, frameId: 'T9' } }),
      context(6, { auxData: { isDefault: false, frameId: 'T1' } }),
    )
    sent()
    await say(leaving(4), leaving(5), leaving(6), leaving(3, 'no question'), leaving(3, 'null'))
    await say({ method: 'Runtime.executionContextsCleared', params: {} }, leaving(3))
    assert.deepEqual(asked, [])
    assert.deepEqual(sent(), [])
  })

  it('closes whatever opens beside a locked page, and leaves its print dialogue', async () => {
    const { sent, say } = startSteering(true)
    await say(created(PAGE), attached('S1', PAGE))
    sent()
    await say(
      created({ targetId: 'T2', type: 'page', url: 'chrome://newtab/' }),
      created({ targetId: 'T3', type: 'page', url: 'chrome://print/' }),
      created({ targetId: 'T4', type: 'service_worker', url: 'http://127.0.0.1:1/' }),
    )
    assert.deepEqual(sent(), [{ method: 'Target.closeTarget', params: { targetId: 'T2' } }])
  })

  it('brings a locked page back from elsewhere', async () => {
    const { page, sent, say, answer } = startSteering(true)
    page.navigate('http://127.0.0.1:1/open')
    await say(created(PAGE), attached('S1', PAGE))
    await answer()
    sent()
    const at = (url: string) => ({
      method: 'Target.targetInfoChanged',
      params: { targetInfo: { ...PAGE, url } },
    })
    await say(at('http://127.0.0.1:1/'), at('data:text/html,x'))
    assert.deepEqual(sent(), [])
    for (const url of ['file:///etc/hostname', 'http://127.0.0.1:2/', 'chrome://settings/'])
      await say(at(url))
    assert.deepEqual(sent(), Array(3).fill(navigate('http://127.0.0.1:1/open', 'S1')))
  })

  it('tells of the crash of its page, and of no other', async () => {
    const { say, crashes } = startSteering()
    await say(created(PAGE), { method: 'Target.targetCrashed', params: { targetId: 'T9' } })
    assert.equal(crashes(), 0)
    await say({ method: 'Target.targetCrashed', params: { targetId: 'T1' } })
    assert.equal(crashes(), 1)
  })

  it('asks the browser to close, and does no harm when it is gone', () => {
    const { page, sent, input } = startSteering()
    sent()
    page.close()
    assert.deepEqual(sent(), [{ method: 'Browser.close', params: {} }])
    input.destroy(new Error('EPIPE'))
    page.close()
    page.navigate('http://127.0.0.1:1/')
  })
})
