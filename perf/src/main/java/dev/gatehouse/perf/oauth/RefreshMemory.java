package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.http.Client;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The memory of refresh tokens that were issued and not used yet.
 *
 * @param heapBytes difference of the heap after full collections, with and without the tokens
 * @param diskBytes difference of the store's tables, without its log, which is bounded
 */
record RefreshMemory(int tokens, long heapBytes, long diskBytes) {

  static final int CALLERS = 8;

  double heapEach() {
    return (double) heapBytes / tokens;
  }

  double diskEach() {
    return (double) diskBytes / tokens;
  }

  /** Issues that many tokens at a new server with the resource owner's password, each for a separate authorization. */
  static RefreshMemory measure(OAuthServer server, Path data, int tokens) throws IOException, InterruptedException {
    issue(server, CALLERS * People.PER_USER);
    ServerProcess node = server.server().processes().getFirst();
    long heap = node.heapBytes();
    long disk = tables(data);
    issue(server, tokens);
    return new RefreshMemory(tokens, node.heapBytes() - heap, tables(data) - disk);
  }

  private static void issue(OAuthServer server, int tokens) throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
      List<Callable<Void>> issuing = new ArrayList<>();
      for (int number = 0; number < CALLERS; number++) {
        List<Integer> people = People.ofUser(number);
        issuing.add(() -> issue(server, people, tokens / CALLERS));
      }
      for (Future<Void> each : threads.invokeAll(issuing)) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("refresh tokens could not be issued: " + e.getCause(), e);
    }
  }

  private static Void issue(OAuthServer server, List<Integer> people, int tokens) throws IOException {
    try (Client api = Client.program(server.url())) {
      for (int i = 0; i < tokens; i++) {
        Tokens.ofPerson(api, server, BenchClient.ES256, people.get(i % people.size()), "profile");
      }
    }
    return null;
  }

  /** The size of the store's tables; files may appear and disappear meanwhile. */
  private static long tables(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("rocksdb"))) {
      return files.map(Path::toFile).filter(file -> file.getName().endsWith(".sst")).mapToLong(File::length).sum();
    }
  }
}
