package dev.gatehouse.common.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Stores in a process of their own whose writes fail for a while with another error than a full disk: EFBIG, by the limit of
 * file sizes of the process. Prints what {@link RocksStores#problem} says: before, meanwhile, and afterwards.
 */
final class FailingDiskNode {

  private FailingDiskNode() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    try (RocksStores stores = new RocksStores(Path.of(arguments[0]), InstantSource.system())) {
      SingleUseStore<String> codes = stores.singleUse("codes", new TextCodec());
      put(codes, 0);
      print("before", stores.problem());
      limit("1");
      for (int i = 1; stores.problem().isEmpty(); i++) {
        put(codes, i);
        Thread.sleep(10);
      }
      print("meanwhile", stores.problem());
      limit("unlimited");
      Instant end = Instant.now().plus(Duration.ofSeconds(90));
      while (stores.problem().filter(text -> !text.contains("restart the node")).isPresent() && Instant.now().isBefore(end)) {
        Thread.sleep(100);
      }
      print("afterwards", stores.problem());
      print("writes", put(codes, 1_000_000) ? Optional.of("taken") : Optional.of("refused"));
    } finally {
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  private static boolean put(SingleUseStore<String> codes, int number) {
    try {
      codes.put("code" + number, "x".repeat(200), Instant.now().plusSeconds(3600));
      return true;
    } catch (StoreUnavailable e) {
      return false;
    }
  }

  private static void limit(String bytes) throws IOException, InterruptedException {
    new ProcessBuilder("prlimit", "--pid", String.valueOf(ProcessHandle.current().pid()), "--fsize=" + bytes + ":unlimited")
        .inheritIO()
        .start()
        .waitFor();
  }

  private static void print(String when, Optional<String> problem) {
    System.out.println(when + "=" + problem.orElse(""));
  }
}
