package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of MemorySessionStore, compared with plain collections. */
final class SlotsTest {

  private static final String ODD = "\0 -.09:@AZ[^_`az{~ä\uffff";

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void prefixesStandInTheOrderOfIds(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String one = odd(random);
      String two = odd(random);
      if (one.compareTo(two) > 0) {
        assertThat(SessionSlots.prefix(one)).as("%s after %s", one, two).isGreaterThanOrEqualTo(SessionSlots.prefix(two));
      }
    }
  }

  private static String odd(Random random) {
    StringBuilder id = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      id.append(ODD.charAt(random.nextInt(ODD.length())));
    }
    return id.toString();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void slotsAreAMapInOrder(long seed) {
    Random random = new Random(seed);
    SessionSlots slots = new SessionSlots();
    TreeMap<String, byte[]> model = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      SessionId id = random.nextInt(4) == 0 ? new SessionId(odd(random)) : SessionToken.create(random).id();
      byte[] key = SessionRecord.key(id);
      if (random.nextInt(3) == 0 && !model.isEmpty()) {
        id = new SessionId(model.firstKey());
        int slot = slots.find(id, SessionRecord.key(id));
        slots.drop(slot);
        assertThat(slots.isHeld(slot)).isFalse();
        slots.release(slot);
        model.remove(id.value());
      } else if (!model.containsKey(id.value())) {
        byte[] record = SessionRecord.of(key, Instant.ofEpochMilli(i), new byte[] {(byte) i});
        assertThat(slots.find(id, key)).isEqualTo(SessionSlots.NONE);
        slots.add(id, record);
        model.put(id.value(), record);
      }
      assertThat(slots.size()).isEqualTo(model.size());
    }
    model.forEach((id, record) -> {
      SessionId sessionId = new SessionId(id);
      assertThat(slots.record(slots.find(sessionId, SessionRecord.key(sessionId)))).isSameAs(record);
    });
    assertThat(inOrder(slots)).isEqualTo(List.copyOf(model.keySet()));
  }

  private static List<String> inOrder(SessionSlots slots) {
    List<String> ids = new ArrayList<>();
    String last = "";
    // The empty id comes before all that are asked for.
    if (slots.find(new SessionId(""), SessionRecord.key(new SessionId(""))) != SessionSlots.NONE) {
      ids.add("");
    }
    for (List<byte[]> some = slots.after(last, 10); !some.isEmpty(); some = slots.after(last, 10)) {
      some.forEach(record -> ids.add(SessionRecord.id(record).value()));
      last = ids.getLast();
    }
    return ids;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void anIndexIsAMultimap(long seed) {
    Random random = new Random(seed);
    SlotIndex index = new SlotIndex();
    Map<Integer, List<Integer>> model = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      // Few hashes, at both ends, so that runs are long and go around the end.
      int hash = random.nextInt(3) == 0 ? random.nextInt() : -1 - random.nextInt(40);
      List<Integer> slots = model.computeIfAbsent(hash, h -> new ArrayList<>());
      if (random.nextInt(5) < 2 && !slots.isEmpty()) {
        Integer slot = slots.remove(random.nextInt(slots.size()));
        index.remove(hash, slot);
      } else if (slots.size() < 30) {
        int slot = random.nextInt(1_000_000);
        slots.add(slot);
        index.add(hash, slot);
      }
      index.remove(hash, 2_000_000);
    }
    model.forEach((hash, slots) -> assertThat(index.slots(hash)).containsExactlyInAnyOrderElementsOf(slots));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void eachSlotIsDueOnceAndNotBeforeItsTime(long seed) {
    Random random = new Random(seed);
    SlotDeadlines deadlines = new SlotDeadlines();
    Map<Integer, Long> due = new HashMap<>();
    long now = 1_795_000_000_000L;
    for (int slot = 0; slot < 5000; slot++) {
      long at = now + random.nextInt(100_000);
      deadlines.add(slot, at);
      due.put(slot, random.nextBoolean() ? at : at + random.nextInt(100_000));
    }
    while (!due.isEmpty()) {
      now += 1 + random.nextInt(2000);
      long time = now;
      SlotDeadlines.Visitor takesOut =
          slot -> {
            if (due.getOrDefault(slot, 0L) > time) {
              return due.getOrDefault(slot, 0L);
            }
            due.remove(slot);
            return SlotDeadlines.GONE;
          };
      if (random.nextBoolean()) {
        deadlines.drain(now, random.nextInt(200), takesOut);
      } else {
        deadlines.visit(now, Integer.MAX_VALUE, takesOut);
        assertThat(due.values()).allMatch(at -> at > time);
      }
    }
  }

  @Test
  void whatIsDueAndStaysIsShownOnceAtEachVisit() {
    SlotDeadlines deadlines = new SlotDeadlines();
    Map<Integer, Long> due = Map.of(1, 5_000L, 2, 9_000L, 3, 20_000L);
    due.keySet().forEach(slot -> deadlines.add(slot, 1_000));
    for (long now : new long[] {12_000, 12_500, 13_000}) {
      List<Integer> shown = new ArrayList<>();
      deadlines.visit(
          now,
          Integer.MAX_VALUE,
          slot -> {
            if (due.getOrDefault(slot, 0L) <= now) {
              shown.add(slot);
            }
            return due.getOrDefault(slot, 0L);
          });
      assertThat(shown).containsExactlyInAnyOrder(1, 2);
    }
    Set<Integer> most = new HashSet<>();
    deadlines.visit(30_000, 1, slot -> {
      most.add(slot);
      return due.getOrDefault(slot, 0L);
    });
    assertThat(most).as("ends after the first chain").containsExactlyInAnyOrder(1, 2);
  }
}
