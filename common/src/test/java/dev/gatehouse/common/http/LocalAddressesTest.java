package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a connection arrives at a listener, whatever the address is called. */
class LocalAddressesTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, ::ffff:127.0.0.1, true",
    "127.0.0.1, 0.0.0.0, true",
    "127.0.0.1, ::, true",
    "127.0.0.1, 127.0.0.2, false",
    "127.0.0.1, 192.0.2.1, false",
    "0.0.0.0, 127.0.0.1, true",
    "0.0.0.0, 127.8.9.1, true",
    "0.0.0.0, ::1, true",
    "0.0.0.0, 192.0.2.1, false",
    "192.0.2.1, 192.0.2.1, true",
    "192.0.2.1, 0.0.0.0, false"
  })
  void aConnectionArrivesAtTheListener(String bound, String address, boolean arrives) {
    InetSocketAddress listener = new InetSocketAddress(InetAddress.ofLiteral(bound), 8081);
    assertThat(LocalAddresses.arrivesAt(listener, InetAddress.ofLiteral(address), 8081)).isEqualTo(arrives);
    assertThat(LocalAddresses.arrivesAt(listener, InetAddress.ofLiteral(address), 8080)).isFalse();
    assertThat(LocalAddresses.arrivesAt(new InetSocketAddress(listener.getAddress(), 0), InetAddress.ofLiteral(address), 0)).isFalse();
  }

  @Test
  void outboundCallsDoNotReachWhatIsClosed() {
    InetSocketAddress admin = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 8081);
    AddressResolver.Lookup lookup = host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
    try (OutboundHttp http =
        new OutboundHttp(
            Limits.USUAL, OutboundTrust.with(List.of()), new HttpClientExchanges.MaxConnections(2, 4), lookup,
            (address, port) -> LocalAddresses.arrivesAt(admin, address, port))) {
      for (String url : List.of("http://rebound.example:8081/", "http://127.0.0.1:8081/", "http://[::ffff:7f00:1]:8081/")) {
        Answer answer = http.get(URI.create(url), "*/*");
        assertThat(answer).as(url).isInstanceOfSatisfying(Answer.Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.ADDRESS_REFUSED));
      }
    }
  }
}
