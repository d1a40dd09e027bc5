package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.ApiClient;
import java.io.IOException;
import java.net.URI;

/**
 * Requests the same file as often as a visit has requests: the work of AuthMark's callers at a server that checks
 * nothing.
 */
final class FileVisits implements CallerLoad.Caller {

  private final ApiClient client;
  private final String request;
  private final int bytes;

  FileVisits(URI file, int bytes) throws IOException {
    this.client = new ApiClient(file);
    this.request = client.get(file.getPath());
    this.bytes = bytes;
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    for (int i = 0; i <= Visits.PAGES; i++) {
      Answer answer = client.send(request);
      if (answer.status() != 200 || answer.body().length() != bytes) {
        throw new IOException("the file was expected, not " + answer.status());
      }
    }
    return 1 + Visits.PAGES;
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
