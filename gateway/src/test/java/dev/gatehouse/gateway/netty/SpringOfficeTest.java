package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A real Spring app behind the gateway. */
final class SpringOfficeTest {

  @Test
  void springSecurityKnowsThePersonAndNobodyElse() throws IOException {
    try (SpringOffice office = new SpringOffice();
        TestGateway gateway = TestGateway.before(URI.create("http://127.0.0.1:" + office.port()));
        RawClient client = gateway.connect()) {
      String carol = "Cookie: gh_app=" + gateway.sessions().open("carol", List.of(), List.of());
      assertThat(client.get("/desk", carol).read().body()).isEqualTo("carol at http://app.localhost/desk");
      Response forged = client.get("/desk", carol, "Remote-User: bob", "remote_user: bob", "X-Forwarded-Host: evil").read();
      assertThat(forged.body()).isEqualTo("carol at http://app.localhost/desk");
      assertThat(client.get("/public/desk", "Remote-User: bob").read().status()).as("nobody, to Spring").isEqualTo(403);
    }
  }

  @Test
  void itsOwnSessionAndTokenPassThrough() throws IOException {
    try (SpringOffice office = new SpringOffice();
        TestGateway gateway = TestGateway.before(URI.create("http://127.0.0.1:" + office.port()));
        RawClient client = gateway.connect()) {
      String carol = "Cookie: gh_app=" + gateway.sessions().open("carol", List.of(), List.of());
      Response token = client.get("/token", carol).read();
      String session = token.field("Set-Cookie").orElseThrow().split(";")[0];
      String post = "POST /desk HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 0\r\n" + carol + "; " + session + "\r\n";
      assertThat(client.send(post + "\r\n").read().status()).as("without the token").isEqualTo(403);
      assertThat(client.send(post + token.body() + "\r\n\r\n").read().body()).isEqualTo("carol has written");
    }
  }
}
