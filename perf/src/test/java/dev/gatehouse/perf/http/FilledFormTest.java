package dev.gatehouse.perf.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FilledFormTest {

  private static final Map<String, String> TYPED = Map.of("username", "alice", "password", "secret");

  @Test
  void sendsWhatIsHiddenInTheFirstFormAlone() throws IOException {
    String page =
        """
        <form method="post" action="/realms/bench/login?pending=abc">
        <input type="hidden" name="csrf" value="x+y">
        <input name="username" type="text"><input name="password" type="password"></form>
        <form method="post" action="/cancel"><input type="hidden" name="other" value="no"></form>
        """;

    assertThat(FilledForm.of(page, TYPED))
        .isEqualTo(new FilledForm("/realms/bench/login?pending=abc", "csrf=x%2By&username=alice&password=secret"));
  }

  @Test
  void readsKeycloaks() throws IOException {
    String page =
        """
        <form id="kc-form-login" onsubmit="login.disabled = true" action="http://kc/auth?a=1&amp;b=2" method="post">
        <input id="username" name="username" value="" type="text" />
        <input id="password" name="password" value="" type="password" />
        <input type="hidden" id="id-hidden-input" name="credentialId" />
        <input name="login" id="kc-login" type="submit" value="Sign In" /></form>
        """;

    assertThat(FilledForm.of(page, TYPED))
        .isEqualTo(new FilledForm("http://kc/auth?a=1&b=2", "username=alice&password=secret&credentialId="));
  }

  @Test
  void aPasswordThatIsNotTypedIsAFailure() {
    assertThatThrownBy(() -> FilledForm.of("<form action=\"/login\"><input name=\"password\"></form>", Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("asks for a password");
  }

  @Test
  void aPageWithoutAFormIsAFailure() {
    assertThatThrownBy(() -> FilledForm.of("<p>Sorry</p>", TYPED))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Sorry");
  }
}
