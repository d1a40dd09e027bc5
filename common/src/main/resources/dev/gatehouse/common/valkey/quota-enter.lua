-- KEYS: see limited.lua, of which there is no value. ARGV: now, entry, expiry, holder, cost, limits per holder and in all, prefix of the
-- entries of a holder. Returns 1 and the entries that were displaced; or 2, the time until which there is no space, and these.
local now, entry, holder, cost, by = tonumber(ARGV[1]), ARGV[2], ARGV[4], tonumber(ARGV[5]), ARGV[8]
-- At most as many at once as delay nobody.
local function expire()
  local over = redis.call('ZRANGE', expiries, '-inf', now, 'BYSCORE', 'LIMIT', 0, 64)
  for _, one in ipairs(over) do
    leave(one, by)
  end
  return #over > 0
end
local function own()
  return tonumber(redis.call('ZSCORE', networks, holder) or '0')
end
local function total()
  return tonumber(redis.call('HGET', numbers, 'total') or '0')
end
expire()
leave(entry, by)
while own() + cost > tonumber(ARGV[6]) do
  if not expire() then
    local oldest = redis.call('ZRANGE', by .. holder, 0, 0)[1]
    return {2, oldest and redis.call('ZSCORE', expiries, oldest) or ARGV[1]}
  end
end
local displaced = {1}
while total() + cost > tonumber(ARGV[7]) do
  if not expire() then
    local most = redis.call('ZRANGE', networks, -1, -1, 'WITHSCORES')
    if not most[1] or tonumber(most[2]) <= own() + cost then
      local full = {2, redis.call('ZRANGE', expiries, 0, 0, 'WITHSCORES')[2] or ARGV[1]}
      for i = 2, #displaced do
        full[i + 1] = displaced[i]
      end
      return full
    end
    local one = redis.call('ZRANGE', by .. most[1], 0, 0)[1]
    leave(one, by)
    displaced[#displaced + 1] = one
  end
end
redis.call('HSET', claims, entry, holder .. ':' .. ARGV[5] .. ':')
redis.call('ZADD', expiries, ARGV[3], entry)
redis.call('ZADD', by .. holder, redis.call('HINCRBY', numbers, 'order', 1), entry)
redis.call('ZINCRBY', networks, cost, holder)
redis.call('HINCRBY', numbers, 'total', cost)
return displaced
