package dev.gatehouse.perf.gateway;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The loads of FIGURES S2: 32 concurrent browsers and programs. */
final class Scenarios {

  private static final int CALLERS = 32;

  private Scenarios() {}

  /** @param people in the directory; each login chooses one of them */
  static Load load(Scenario scenario, Gateway gateway, Measured server, int people) throws IOException {
    URI url = scenario.at(gateway);
    URI idp = URI.create("http://127.0.0.1:" + gateway.idp());
    List<CallerLoad.Caller> callers = new ArrayList<>();
    for (int number = 0; number < CALLERS; number++) {
      callers.add(
          switch (scenario) {
            case PUBLIC_HTTP, PUBLIC_HTTPS -> new PublicPages(url, 1, true);
            case PAGE_A_SESSION -> new PublicPages(url, 1, false);
            case TEN_PAGES_A_SESSION -> new PublicPages(url, 10, false);
            case BASIC, SECURE_BASIC, ONE_PAGE ->
                new Visits(url, url.getPath(), Visits.Later.NONE, people, Pages.SMALL, number);
            case TEN_PAGES -> new Visits(url, url.getPath(), Visits.Later.BY_COOKIE, people, Pages.SMALL, number);
            case FORM, FORM_ROLE, FORM_INJECTION, FORM_FILL -> new FormLogin(url, idp, people, number);
          });
    }
    return new CallerLoad(server, scenario.word(), callers);
  }
}
