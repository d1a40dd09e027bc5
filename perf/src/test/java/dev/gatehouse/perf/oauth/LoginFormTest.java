package dev.gatehouse.perf.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class LoginFormTest {

  @Test
  void sendsWhatIsHiddenInTheFirstFormAlone() throws IOException {
    String page =
        """
        <form method="post" action="/realms/bench/login?pending=abc">
        <input type="hidden" name="csrf" value="x+y">
        <input name="username" type="text"><input name="password" type="password"></form>
        <form method="post" action="/cancel"><input type="hidden" name="other" value="no"></form>
        """;

    assertThat(LoginForm.filledIn(page, "alice", "secret"))
        .isEqualTo(new LoginForm("/realms/bench/login?pending=abc", "username=alice&password=secret&csrf=x%2By"));
  }

  @Test
  void readsKeycloaks() throws IOException {
    String page =
        """
        <form id="kc-form-login" onsubmit="login.disabled = true" action="http://kc/auth?a=1&amp;b=2" method="post">
        <input type="hidden" id="id-hidden-input" name="credentialId" />
        """;

    assertThat(LoginForm.filledIn(page, "alice", "secret"))
        .isEqualTo(new LoginForm("http://kc/auth?a=1&b=2", "username=alice&password=secret&credentialId="));
  }

  @Test
  void aPageWithoutAFormIsAFailure() {
    assertThatThrownBy(() -> LoginForm.filledIn("<p>Sorry</p>", "alice", "secret"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Sorry");
  }
}
