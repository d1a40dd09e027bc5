package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import java.io.IOException;
import java.util.List;

/** What people do whose sessions may be bound to their devices: a browser with keys of its own, by https. */
enum AssuredWork {
  PAGE("assured-page"),
  /** By a browser without keys of its own. */
  LOGIN("assured-login-without-key"),
  LOGIN_WITH_KEY("assured-login-with-key");

  private static final int CALLERS = 16;

  /** The fields of a browser that its fingerprint is made of. */
  private static final List<String> BROWSER =
      List.of(
          "User-Agent: Gatehouse bench", "Accept: text/html", "Accept-Language: en", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document");

  private final String word;

  AssuredWork(String word) {
    this.word = word;
  }

  /** What can be done with that assurance: with {@code enforce}, a browser without keys is led to a page with a script. */
  static List<AssuredWork> of(String assurance) {
    return assurance.equals("enforce") ? List.of(PAGE, LOGIN_WITH_KEY) : List.of(values());
  }

  String word() {
    return word;
  }

  Load at(Gateway gateway, Server server, int connections, int people) throws IOException {
    String page = "https://127.0.0.1:" + gateway.p256() + "/form-role/small";
    List<String> others = List.of(gateway.idpUrl(), "http://127.0.0.1:" + gateway.http());
    return switch (this) {
      case PAGE -> new PagesOfOneLogin(server, this, page, others, BROWSER, connections, people);
      case LOGIN, LOGIN_WITH_KEY ->
          ClosedLoad.open(server, word, CALLERS, number -> new FormLogin(page, others, this == LOGIN_WITH_KEY, people, number));
    };
  }
}
