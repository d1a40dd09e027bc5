package dev.gatehouse.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A body that clients take slowly is in memory when the cache has removed it, too. */
class UnreadBodiesTest {

  private static final Origin APP = new Origin("http", "app.localhost", 80);

  private final Set<CachedBody> stored = new HashSet<>();
  private final UnreadBodies unread = new UnreadBodies(100, stored::contains);
  private final List<String> ended = new ArrayList<>();

  private CachedBody body(String path, int length) {
    return new CachedBody(unread, CacheKey.of(APP, path, ""), ByteBuffer.allocate(length));
  }

  private UnreadBodies.Reader read(CachedBody body, String client) {
    return body.read(() -> ended.add(client));
  }

  @Test
  void aBodyCountsOnceHoweverManyClientsTakeIt() {
    CachedBody page = body("/page", 60);
    List<UnreadBodies.Reader> clients = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      clients.add(read(page, "client " + i));
    }
    assertThat(unread.bytes()).isEqualTo(60);
    clients.subList(1, 1000).forEach(UnreadBodies.Reader::done);
    assertThat(unread.bytes()).isEqualTo(60);
    clients.getFirst().done();
    clients.getFirst().done();
    assertThat(unread.bytes()).isZero();
    assertThat(ended).isEmpty();
  }

  @Test
  void theRemovedBodyThatHasBeenTakenLongestIsGivenUp() {
    UnreadBodies.Reader first = read(body("/first", 40), "first");
    read(body("/second", 40), "second");
    UnreadBodies.Reader third = read(body("/third", 40), "third");
    assertThat(ended).containsExactly("first");
    assertThat(unread.ended()).isEqualTo(1);
    assertThat(unread.bytes()).isEqualTo(80);
    first.done();
    assertThat(unread.bytes()).as("it was given up").isEqualTo(80);
    third.done();
    read(body("/fourth", 60), "fourth");
    assertThat(ended).containsExactly("first");
  }

  @Test
  void toEndWhatIsStoredWouldFreeNothing() {
    CachedBody popular = body("/popular", 40);
    stored.add(popular);
    read(popular, "a");
    read(popular, "b");
    read(body("/removed", 40), "removed");
    read(body("/other", 40), "other");
    assertThat(ended).containsExactly("removed");
    stored.clear();
    read(body("/last", 40), "last");
    assertThat(ended).containsExactlyInAnyOrder("removed", "a", "b");
    assertThat(unread.bytes()).isEqualTo(80);
  }

  @Test
  void aBodyThatNeverFitsIsGivenUpItself() {
    read(body("/huge", 200), "huge");
    assertThat(ended).containsExactly("huge");
    assertThat(unread.bytes()).isZero();
  }
}
