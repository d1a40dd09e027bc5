package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.jose.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an agent knows about itself.
 *
 * @param latest the latest second that was seen; {@link #NEVER} if the clock is not known to be right
 * @param isKnown whether the realm knew the agent when it last said so
 * @param hour in which wrong passcodes are counted
 * @param wrong how many there were in it, for whomever
 */
record HeldState(long latest, boolean isKnown, long hour, int wrong) {

  /** Later than all times. */
  static final long NEVER = 1L << 52;

  /** Before a server was reached: absence denies. */
  static final HeldState NOTHING = new HeldState(NEVER, false, 0, 0);

  private static final int HOUR_SECONDS = 3600;

  HeldState at(long second) {
    return new HeldState(second, isKnown, hour, wrong);
  }

  HeldState known(boolean known) {
    return new HeldState(latest, known, hour, wrong);
  }

  int wrongAt(long second) {
    return second / HOUR_SECONDS == hour ? wrong : 0;
  }

  HeldState plusWrong(long second) {
    return new HeldState(latest, isKnown, second / HOUR_SECONDS, wrongAt(second) + 1);
  }

  byte[] toBytes() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("latest", latest);
    json.put("known", isKnown);
    json.put("hour", hour);
    json.put("wrong", wrong);
    return StrictJson.write(json).getBytes(StandardCharsets.UTF_8);
  }

  /** Throws {@link IllegalArgumentException} if something is missing. */
  static HeldState of(byte[] bytes) {
    Map<String, Object> json = StrictJson.object(bytes).orElseThrow(() -> new IllegalArgumentException("no JSON"));
    return new HeldState(
        HeldDays.number(json, "latest"), Boolean.TRUE.equals(json.get("known")), HeldDays.number(json, "hour"),
        (int) HeldDays.number(json, "wrong"));
  }
}
