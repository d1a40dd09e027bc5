package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.gateway.admin.inspection.TestLoginEndpoint.TestLoginView;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Inspection.Account;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.Inspection.Step;
import dev.gatehouse.sp.inspection.Inspection.Value;
import dev.gatehouse.sp.inspection.Replay;
import java.net.InetAddress;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The pages of a test login, with an answer whose values are all a partner's choice. */
class TestLoginPageTest {

  private static final String HOSTILE = HostileNames.TEXT;

  private static Inspection inspection(Optional<String> problem) {
    return new Inspection(
        List.of(new Check("message", Optional.empty(), Optional.of(HOSTILE))),
        List.of(new Value(HOSTILE, HOSTILE, Optional.empty()), new Value("uid", HOSTILE, Optional.of("not_accepted"))),
        Optional.of(new Account("known", Optional.of(HOSTILE), problem)),
        List.of(new Step("user-info", Map.of(HOSTILE, HOSTILE))));
  }

  private static String page(String template, Inspection inspection, Map<String, Object> more) {
    Map<String, Object> model = new HashMap<>(more);
    TestLoginPages.add(model, inspection);
    model.putAll(Map.of("realmName", "demo", "partner", HOSTILE, "csrf", "c", "wrong", List.of(), "administrator", HOSTILE, "here", "realms"));
    EdgeRequest request =
        new EdgeRequest("GET", new Origin("http", "localhost", 8081), "/", "", Headers.empty(), new byte[0], InetAddress.getLoopbackAddress());
    return new ThymeleafPages().render(request, Optional.empty(), Page.of(200, template, model)).text();
  }

  @Test
  void valuesOfAPartnerStayText() {
    Inspection inspection = inspection(Optional.empty());
    TestLoginView test = new TestLoginView("id", HOSTILE, "https://idp.example", Instant.EPOCH, Optional.of(inspection), true);
    String shown = page("console-test-login", inspection, Map.of("test", test, "save", "/save"));
    String again = page("console-replay", inspection, Map.of("replay", new Replay("demo", HOSTILE, inspection, List.of(HOSTILE))));
    for (String page : List.of(shown, again)) {
      assertThat(page).doesNotContain("<script>alert", "<img src=x").contains("&lt;script&gt;alert(1)", "counts", "`accept` lists other values");
    }
  }

  @Test
  void theVerdictIsThatOfTheInspection() {
    TestLoginView test = new TestLoginView("id", "idp", "https://idp.example", Instant.EPOCH, Optional.empty(), false);
    assertThat(page("console-test-login", inspection(Optional.empty()), Map.of("test", test))).contains("Every check passed.");
    assertThat(page("console-test-login", inspection(Optional.of("unknown")), Map.of("test", test)))
        .contains("A check failed").doesNotContain("Every check passed.");
  }
}
