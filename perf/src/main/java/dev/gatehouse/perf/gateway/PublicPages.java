package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.ApiClient;
import java.io.IOException;
import java.net.URI;

/** A browser that loads a page of 50 KB and its 50 images, once or several times per connection. */
final class PublicPages implements CallerLoad.Caller {

  private final ApiClient client;
  private final String base;
  private final int pages;
  private final boolean keeps;

  /** @param keeps whether the next visit reuses the connection */
  PublicPages(URI base, int pages, boolean keeps) throws IOException {
    this.client = new ApiClient(base);
    this.base = base.getPath();
    this.pages = pages;
    this.keeps = keeps;
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    if (!keeps) {
      client.reconnect();
    }
    for (int page = 0; page < pages; page++) {
      load("page-50k.html", Pages.PUBLIC_PAGE);
      for (int image = 0; image < Pages.IMAGES; image++) {
        load("image-" + image + ".html", Pages.IMAGE);
      }
    }
    return pages * (1 + Pages.IMAGES);
  }

  private void load(String name, int bytes) throws IOException {
    Answer answer = client.send(client.get(base + name));
    if (answer.status() != 200 || answer.body().length() != bytes) {
      throw new IOException(name + " was expected, not " + answer.status() + ", " + answer.body().length() + " bytes");
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
