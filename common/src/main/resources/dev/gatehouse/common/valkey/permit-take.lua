-- KEYS: failed permits by their end, open permits by the time until which they are open, number of the latest permit, mark that something
-- is counted. ARGV: now, time until which the permit is open, its end, limit, negative to take nothing, who.
-- A member is number:who:end. Returns 1 and the number, 2 and the time at which one of the failed ends, or 3 if open ones are in the way.
local failed, open = KEYS[1], KEYS[2]
local now, limit = tonumber(ARGV[1]), math.abs(tonumber(ARGV[4]))
redis.call('ZREMRANGEBYSCORE', failed, '-inf', now)
for _, member in ipairs(redis.call('ZRANGE', open, '-inf', now, 'BYSCORE')) do
  redis.call('ZREM', open, member)
  local ends = tonumber(string.match(member, ':(%d+)$'))
  if ends > now then
    redis.call('ZADD', failed, ends, member)
    if redis.call('PTTL', failed) < 0 then
      redis.call('PEXPIRE', failed, string.format('%d', ends - now))
    end
  end
end
local failures = redis.call('ZCARD', failed)
if failures >= limit then
  return {2, redis.call('ZRANGE', failed, failures - limit, failures - limit, 'WITHSCORES')[2]}
end
if failures + redis.call('ZCARD', open) >= limit then
  return {3}
end
if tonumber(ARGV[4]) < 0 then
  return {1, 0}
end
local number = redis.call('INCR', KEYS[3])
redis.call('ZADD', open, ARGV[2], string.format('%d', number) .. ':' .. ARGV[5] .. ':' .. ARGV[3])
local life = ARGV[3] - ARGV[1]
for _, key in ipairs({failed, open, KEYS[4]}) do
  if redis.call('PTTL', key) < life then
    redis.call('PEXPIRE', key, life)
  end
end
if redis.call('EXISTS', KEYS[4]) == 0 then
  redis.call('SET', KEYS[4], '1', 'PX', life)
end
return {1, number}
