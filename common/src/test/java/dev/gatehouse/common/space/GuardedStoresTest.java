package dev.gatehouse.common.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.PlainSession;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.FairQuota;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A guard that does not pass a method on has the default of its interface, as if it guarded a store of another kind. */
class GuardedStoresTest {

  private final GuardedStores guarded = new GuardedStores(new MemoryStores(InstantSource.system()), () -> false);

  @Test
  void everyMethodOfTheStoresIsPassedOn() {
    assertThat(inherited(Stores.class, guarded)).as("calls the one with three parameters").containsExactly("sessions/2");
  }

  @Test
  void everyMethodOfSessionsIsPassedOn() {
    assertThat(inherited(SessionStore.class, guarded.sessions("app", PlainSession.CODEC))).isEmpty();
  }

  @Test
  void whatStrangersSendEndsNothing() {
    InstantSource time = InstantSource.system();
    LimitedStore<String> store =
        new GuardedStores(new MemoryStores(time), () -> true)
            .ends()
            .limited("messages", new JsonCodec<>(String.class), new FairQuota.Limits(10, 10), time);
    Instant later = time.instant().plusSeconds(60);
    store.put("of an end", "message", later);
    assertThat(store.peek("of an end")).contains("message");
    FairQuota.Claim claim = new FairQuota.Claim(InetAddress.ofLiteral("192.0.2.1"), 1);
    assertThatThrownBy(() -> store.putWithin("of a stranger", claim, "message", later)).isInstanceOf(StoreUnavailable.class);
  }

  /** The methods whose code is that of the interface. */
  private static List<String> inherited(Class<?> contract, Object guard) {
    List<String> own = Arrays.stream(guard.getClass().getDeclaredMethods()).map(GuardedStoresTest::signature).toList();
    return Stream.of(contract.getMethods()).map(GuardedStoresTest::signature).filter(method -> !own.contains(method)).toList();
  }

  private static String signature(Method method) {
    return method.getName() + "/" + method.getParameterCount();
  }
}
