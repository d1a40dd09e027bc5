-- ARGV: prefix of the namespace, time before which what expired is removed, maximum number of keys, for how long it must have expired by
-- the clock of the server, too: a node whose clock is far ahead removes no mark and no revocation that the others need.
local prefix = ARGV[1]
local clock = redis.call('TIME')
local time = math.min(tonumber(ARGV[2]), clock[1] * 1000 + math.floor(clock[2] / 1000) - tonumber(ARGV[4]))
local minutes = redis.call('ZRANGE', prefix .. 'd', '-inf', math.floor(time / 60000) - 1, 'BYSCORE', 'LIMIT', 0, 1)
if #minutes == 0 then
  return {0}
end
local list = prefix .. 'd:' .. minutes[1]
local keys = redis.call('LPOP', list, ARGV[3])
if not keys then
  redis.call('ZREM', prefix .. 'd', minutes[1])
  return {1}
end
for _, key in ipairs(keys) do
  local value = redis.call('GET', key)
  if value then
    local at = string.sub(key, #prefix + 1, #prefix + 1) == 'm' and 1 or 10
    local expiry = struct.unpack('>I8', value, at)
    if expiry <= time then
      redis.call('DEL', key)
    else
      remember(prefix, expiry, key)
    end
  end
end
if redis.call('EXISTS', list) == 0 then
  redis.call('ZREM', prefix .. 'd', minutes[1])
end
return {1}
