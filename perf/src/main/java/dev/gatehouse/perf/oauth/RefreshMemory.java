package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.ApiClient;
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

/** Measures the memory of refresh tokens that were issued and not used yet. */
final class RefreshMemory {

  static final int CALLERS = 8;

  /**
   * The results.
   *
   * @param heapBytes difference of the heap after full collections, with and without the tokens
   * @param diskBytes difference of the store's tables, without its log, which is bounded
   */
  record Result(int tokens, long heapBytes, long diskBytes) {
    double heapEach() {
      return (double) heapBytes / tokens;
    }

    double diskEach() {
      return (double) diskBytes / tokens;
    }
  }

  private RefreshMemory() {}

  /** Issues that many tokens at a new server with the resource owner's password, each for a separate authorization. */
  static Result run(GatehouseServer server, int tokens) throws IOException, InterruptedException {
    issue(server, CALLERS * Visitors.EACH);
    ServerProcess node = server.processes().getFirst();
    long heap = node.heapBytes();
    long disk = tables(server.data());
    issue(server, tokens);
    return new Result(tokens, node.heapBytes() - heap, tables(server.data()) - disk);
  }

  private static void issue(GatehouseServer server, int tokens) throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
      List<Callable<Void>> issuing = new ArrayList<>();
      for (int number = 0; number < CALLERS; number++) {
        List<Integer> people = Visitors.of(number);
        issuing.add(() -> issue(server, people, tokens / CALLERS));
      }
      for (Future<Void> each : threads.invokeAll(issuing)) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("refresh tokens could not be issued: " + e.getCause(), e);
    }
  }

  private static Void issue(GatehouseServer server, List<Integer> people, int tokens) throws IOException {
    try (ApiClient api = new ApiClient(server.url())) {
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
