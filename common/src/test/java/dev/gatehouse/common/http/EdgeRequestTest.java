package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EdgeRequestTest {

  private final EdgeRequest request =
      new EdgeRequest(
          "GET",
          Origin.of(URI.create("https://app.example")),
          "/",
          "",
          Headers.of("Accept", "*/*"),
          new byte[0],
          InetAddress.ofLiteral("192.0.2.1"));

  @Test
  void whatWasFoundInARequestIsNotLookedForAgain() {
    AtomicInteger looked = new AtomicInteger();
    assertThat(request.findOnce("device", Integer.class, looked::incrementAndGet)).isEqualTo(1);
    assertThat(request.findOnce("device", Integer.class, looked::incrementAndGet)).isEqualTo(1);
    assertThat(request.findOnce("another key", Integer.class, looked::incrementAndGet)).isEqualTo(2);
    assertThat(request.findOnce("another key", String.class, () -> "another type")).isEqualTo("another type");
    EdgeRequest changed = request.withHeaderFirst("Cookie", "a=b");
    assertThat(changed.findOnce("another key", String.class, () -> "another request")).isEqualTo("another request");
  }
}
