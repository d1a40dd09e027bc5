package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.harness.WrkLoad;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Loads one page again and again, in a session that began just before: a proof of a key is older than five minutes nowhere. */
final class PagesOfOneLogin extends Load {

  private final String page;
  private final List<String> others;
  private final List<String> fields;
  private final int connections;
  private final int people;

  /**
   * @param others origins by which the login leads, beside the page's
   * @param fields of each request, without the cookies
   */
  PagesOfOneLogin(Server server, AssuredWork row, String page, List<String> others, List<String> fields, int connections, int people) {
    super(server, row.word());
    this.page = page;
    this.others = others;
    this.fields = fields;
    this.connections = connections;
    this.people = people;
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException {
    String cookies = FormLogin.cookieField(page, others, people);
    return new WrkLoad(server(), row(), page, connections, Stream.concat(fields.stream(), Stream.of(cookies)).toList()).run(phase, seconds);
  }
}
