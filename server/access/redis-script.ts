import { TICKS } from './window.ts'

/*
 * The algorithm of window.ts inside Redis: one round trip per call, shared by all processes, with the clock of Redis.
 * A bucket is an ascending list of `tick total` texts, where the total is the number of units accepted up to that tick. The first entry has expired; the
 * current second begins with its total. If the clock goes back, all entries count as new, so for a second fewer units are accepted than the limit allows,
 * never more.
 * KEYS[1]: bucket. ARGV: limit, weight, tick (empty: the clock of Redis), and `done` for units that are counted even if they exceed the limit. Returns -1
 * if the units were taken, otherwise the number of ticks until some are free again.
 */
export const TAKE = `
local bucket, limit, weight = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * ${TICKS} + math.floor(time[2] / ${1_000_000 / TICKS})
end
if weight > limit then weight = limit end
local function entry(index)
  local text = redis.call('LINDEX', bucket, index)
  if not text then return nil end
  local tick, total = string.match(text, '^(%d+) (%d+)$')
  return tonumber(tick), tonumber(total)
end
local function written(tick, total) return string.format('%.0f %.0f', tick, total) end

local last, total = entry(-1)
if not last then
  last, total = 0, 0
  redis.call('RPUSH', bucket, written(0, 0))
elseif last > now then
  local _, base = entry(0)
  redis.call('DEL', bucket)
  redis.call('RPUSH', bucket, written(0, base), written(now, total))
  last = now
end
local first = entry(1)
while first and now - first > ${TICKS} do
  redis.call('LPOP', bucket)
  first = entry(1)
end
local _, base = entry(0)
redis.call('PEXPIRE', bucket, 1100)
if ARGV[4] ~= 'done' and (limit <= 0 or total - base + weight > limit) then
  if not first then return ${TICKS} end
  return first + ${TICKS} + 1 - now
end
if last == now and first then redis.call('LSET', bucket, -1, written(now, total + weight))
else redis.call('RPUSH', bucket, written(now, total + weight)) end
return -1
`
