-- Accounting of limited values, before each of the scripts limited-*.lua and quota-*.lua. KEYS: value, claims of entries (network:cost:subject), entries by
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
-- Lets entries go that have expired, at most as many at once as delay nobody; tells whether there were any.
local function expire(now, by)
  local over = redis.call('ZRANGE', expiries, '-inf', now, 'BYSCORE', 'LIMIT', 0, 64)
  for _, one in ipairs(over) do
    leave(one, by)
  end
  return #over > 0
end
local function own(network)
  return tonumber(redis.call('ZSCORE', networks, network) or '0')
end
local function total()
  return tonumber(redis.call('HGET', numbers, 'total') or '0')
end
local function oldest(network, by)
  return redis.call('ZRANGE', by .. network, 0, 0)[1]
end
-- The end of the entry that ends first; now if there is none.
local function first_end(now)
  return redis.call('ZRANGE', expiries, 0, 0, 'WITHSCORES')[2] or now
end
local function enter(entry, network, cost, subject, expiry, by)
  redis.call('HSET', claims, entry, network .. ':' .. cost .. ':' .. subject)
  redis.call('ZADD', expiries, expiry, entry)
  redis.call('ZADD', by .. network, redis.call('HINCRBY', numbers, 'order', 1), entry)
  redis.call('ZINCRBY', networks, cost, network)
  redis.call('HINCRBY', numbers, 'total', cost)
  if subject ~= '' then
    redis.call('HINCRBY', numbers, 's:' .. subject, 1)
  end
end
