-- KEYS: value, expiry index, realm index, idle end. ARGV: version that is replaced, perhaps with its expiry, value, expiry or '', member, number of added index entries, then pairs of
-- bucket and entry: the added ones, then the removed ones. Where nothing is replaced, returns the value and the idle end that are there (nothing if the session is gone).
local old = redis.call('GET', KEYS[1])
if not old then
  return {0}
end
if string.sub(old, 1, 8) ~= string.sub(ARGV[1], 1, 8) then
  return {0, old, redis.call('GET', KEYS[4])}
end
if #ARGV[1] == 16 then
  local idle = redis.call('GET', KEYS[4])
  local last = idle and string.sub(idle, 1, 8) == string.sub(old, 1, 8) and idle or old
  if string.sub(last, 9, 16) ~= string.sub(ARGV[1], 9) then
    return {0, old, idle}
  end
end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[4])
if ARGV[3] ~= '' then
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
end
local added = 5 + 2 * tonumber(ARGV[5])
for i = 6, #ARGV, 2 do
  if i <= added then
    redis.call('ZADD', ARGV[i], 0, ARGV[i + 1])
  else
    redis.call('ZREM', ARGV[i], ARGV[i + 1])
  end
end
return {1}
