-- KEYS: value, expiry index, realm index, idle end. ARGV: version of the value, sealed idle end, its digits, member. Near
-- caches hold the value and not the idle end, so that a touch invalidates none of them.
local value = redis.call('GET', KEYS[1])
if not value or string.sub(value, 1, 8) ~= ARGV[1] then
  return {0}
end
redis.call('SET', KEYS[4], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
return {1}
