-- KEYS: see limited.lua. ARGV: now, value, expiry, prefix of the namespace, entry, network, cost, subject or '', limits per network, in all and per
-- subject, prefix of the entries of a network, prefix of values. Returns 1; 2 and the time until which there is no space; or 0 if one was taken.
local now, entry, network, cost, subject, by = tonumber(ARGV[1]), ARGV[5], ARGV[6], tonumber(ARGV[7]), ARGV[8], ARGV[12]
local old = redis.call('GET', KEYS[1])
local before = old and struct.unpack('>I8', old, 10)
if old and before > now and string.byte(old, 1) == 1 then
  return {0}
end
-- The values of entries that have expired are removed by sweep.lua. At most as many at once as delay nobody.
local function expire()
  local over = redis.call('ZRANGE', expiries, '-inf', now, 'BYSCORE', 'LIMIT', 0, 64)
  for _, one in ipairs(over) do
    leave(one, by)
  end
  return #over > 0
end
local function displace(from)
  local one = redis.call('ZRANGE', by .. from, 0, 0)[1]
  leave(one, by)
  local value = redis.call('GET', ARGV[13] .. one)
  if value and string.byte(value, 1) == 0 then
    redis.call('DEL', ARGV[13] .. one)
  end
end
local function own()
  return tonumber(redis.call('ZSCORE', networks, network) or '0')
end
local function total()
  return tonumber(redis.call('HGET', numbers, 'total') or '0')
end
expire()
leave(entry, by)
if subject ~= '' then
  while tonumber(redis.call('HGET', numbers, 's:' .. subject) or '0') >= tonumber(ARGV[11]) do
    if not expire() then
      return {2, ARGV[3]}
    end
  end
end
while own() > 0 and own() + cost > tonumber(ARGV[9]) do
  displace(network)
end
while total() + cost > tonumber(ARGV[10]) do
  if not expire() then
    local most = redis.call('ZRANGE', networks, -1, -1, 'WITHSCORES')
    if most[1] and tonumber(most[2]) > own() + cost then
      displace(most[1])
    elseif own() > 0 then
      displace(network)
    else
      return {2, redis.call('ZRANGE', expiries, 0, 0, 'WITHSCORES')[2] or ARGV[1]}
    end
  end
end
redis.call('HSET', claims, entry, network .. ':' .. ARGV[7] .. ':' .. subject)
redis.call('ZADD', expiries, ARGV[3], entry)
redis.call('ZADD', by .. network, redis.call('HINCRBY', numbers, 'order', 1), entry)
redis.call('ZINCRBY', networks, cost, network)
redis.call('HINCRBY', numbers, 'total', cost)
if subject ~= '' then
  redis.call('HINCRBY', numbers, 's:' .. subject, 1)
end
redis.call('SET', KEYS[1], ARGV[2])
if not old or before > tonumber(ARGV[3]) then
  remember(ARGV[4], ARGV[3], KEYS[1])
end
return {1}
