-- KEYS: see limited.lua. ARGV: now, value, expiry, prefix of the namespace, entry, network, cost, subject or '', limits per network, in all and per
-- subject, prefix of the entries of a network, prefix of values. Returns 1; 2 and the time until which there is no space; or 0 if one was taken.
local now, entry, network, cost, subject, by = tonumber(ARGV[1]), ARGV[5], ARGV[6], tonumber(ARGV[7]), ARGV[8], ARGV[12]
local old = redis.call('GET', KEYS[1])
local before = old and struct.unpack('>I8', old, 10)
if old and before > now and string.byte(old, 1) == 1 then
  return {0}
end
local function displace(from)
  local one = oldest(from, by)
  leave(one, by)
  local value = redis.call('GET', ARGV[13] .. one)
  if value and string.byte(value, 1) == 0 then
    redis.call('DEL', ARGV[13] .. one)
  end
end
-- The values of entries that have expired are removed by sweep.lua.
expire(now, by)
leave(entry, by)
if subject ~= '' then
  while tonumber(redis.call('HGET', numbers, 's:' .. subject) or '0') >= tonumber(ARGV[11]) do
    if not expire(now, by) then
      return {2, ARGV[3]}
    end
  end
end
while own(network) > 0 and own(network) + cost > tonumber(ARGV[9]) do
  displace(network)
end
while total() + cost > tonumber(ARGV[10]) do
  if not expire(now, by) then
    local most = redis.call('ZRANGE', networks, -1, -1, 'WITHSCORES')
    if most[1] and tonumber(most[2]) > own(network) + cost then
      displace(most[1])
    elseif own(network) > 0 then
      displace(network)
    else
      return {2, first_end(ARGV[1])}
    end
  end
end
enter(entry, network, ARGV[7], subject, ARGV[3], by)
redis.call('SET', KEYS[1], ARGV[2])
if not old or before > tonumber(ARGV[3]) then
  remember(ARGV[4], ARGV[3], KEYS[1])
end
return {1}
