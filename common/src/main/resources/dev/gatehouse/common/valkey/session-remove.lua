-- KEYS: value, expiry index, realm index, idle end. ARGV: version that is removed, perhaps with its expiry, member, then pairs of bucket and entry.
local old = redis.call('GET', KEYS[1])
if not old or string.sub(old, 1, 8) ~= string.sub(ARGV[1], 1, 8) then
  return {0}
end
if #ARGV[1] == 16 then
  local idle = redis.call('GET', KEYS[4])
  local last = idle and string.sub(idle, 1, 8) == string.sub(old, 1, 8) and idle or old
  if string.sub(last, 9, 16) ~= string.sub(ARGV[1], 9) then
    return {0}
  end
end
redis.call('DEL', KEYS[1], KEYS[4])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[2])
for i = 3, #ARGV, 2 do
  redis.call('ZREM', ARGV[i], ARGV[i + 1])
end
return {1}
