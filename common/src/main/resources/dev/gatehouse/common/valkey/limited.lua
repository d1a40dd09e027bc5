-- Accounting of limited values, before each of the scripts limited-*.lua. KEYS: value, claims of entries (network:cost:subject), entries by
-- expiry, networks by cost, numbers (total, order, s:SUBJECT); by .. network has the entries of a network in their order.
local claims, expiries, networks, numbers = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local function leave(entry, by)
  local claim = redis.call('HGET', claims, entry)
  if not claim then
    return
  end
  local network, cost, subject = string.match(claim, '^([^:]*):(%d+):(.*)$')
  redis.call('HDEL', claims, entry)
  redis.call('ZREM', expiries, entry)
  redis.call('ZREM', by .. network, entry)
  if tonumber(redis.call('ZINCRBY', networks, '-' .. cost, network)) <= 0 then
    redis.call('ZREM', networks, network)
  end
  redis.call('HINCRBY', numbers, 'total', '-' .. cost)
  if subject ~= '' and redis.call('HINCRBY', numbers, 's:' .. subject, -1) <= 0 then
    redis.call('HDEL', numbers, 's:' .. subject)
  end
end
