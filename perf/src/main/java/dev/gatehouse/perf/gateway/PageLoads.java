package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A client that gets some files, one after the other, again and again, at one node if the balancer keeps browsers at theirs. */
final class PageLoads implements ClosedLoad.User {

  /** @param bytes the expected length */
  private record Page(String target, int bytes) {}

  private final Client client;
  private final List<Page> pages;
  private final int times;
  private final boolean keeps;
  private Optional<String> node = Optional.empty();

  private PageLoads(URI server, List<Page> pages, int times, boolean keeps) throws IOException {
    this.client = Client.program(server);
    this.pages = pages;
    this.times = times;
    this.keeps = keeps;
  }

  /** A browser that loads a page of 50 KB and its 50 images. @param keeps whether the next visit is by the same one, over its connection */
  static PageLoads publicPages(URI base, int times, boolean keeps) throws IOException {
    Stream<Page> images =
        IntStream.range(0, Pages.IMAGES).mapToObj(i -> new Page(base.getPath() + "image-" + i + ".html", Pages.IMAGE));
    Page page = new Page(base.getPath() + "page-50k.html", Pages.PUBLIC_PAGE);
    return new PageLoads(base, Stream.concat(Stream.of(page), images).toList(), times, keeps);
  }

  /** Requests for one file, as many as a visit of AuthMark has: the same work at a server that checks nothing. */
  static PageLoads file(URI file) throws IOException {
    return new PageLoads(file, List.of(new Page(file.getPath(), Pages.PAGE)), 1 + Visits.PAGES, true);
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    if (!keeps) {
      node = Optional.empty();
      client.reconnect();
    }
    for (int time = 0; time < times; time++) {
      for (Page page : pages) {
        Answer answer = client.send(node.isEmpty() ? client.get(page.target()) : client.get(page.target(), node.get()));
        if (answer.status() != 200 || answer.body().length() != page.bytes()) {
          throw new IOException(page + " was expected, not " + answer.status() + ", " + answer.body().length() + " bytes");
        }
        node = Visits.node(answer).flatMap(cookie -> Visits.field(List.of(cookie))).or(() -> node);
      }
    }
    return times * pages.size();
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
