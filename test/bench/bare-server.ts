import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import Koa from 'koa'
import readRaw from 'raw-body'

// What redeeming is measured against: a Koa server that reads a JSON body and stores one row, durable before it answers,
// with a commit for each request.

const database = new Sqlite(process.argv[2])
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'CREATE TABLE IF NOT EXISTS scan (id INTEGER PRIMARY KEY, code TEXT NOT NULL, at TEXT NOT NULL)',
)
const insert = database.prepare('INSERT INTO scan (code, at) VALUES (?, ?)')

const app = new Koa()
app.use(async (ctx) => {
  const body = JSON.parse(await readRaw(ctx.req, { encoding: 'utf-8' }))
  const { lastInsertRowid } = insert.run(String(body.secret), new Date().toISOString())
  ctx.status = 201
  ctx.body = { id: Number(lastInsertRowid) }
})
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
