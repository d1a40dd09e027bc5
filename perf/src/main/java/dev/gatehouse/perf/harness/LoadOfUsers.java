package dev.gatehouse.perf.harness;

import dev.gatehouse.perf.harness.ClosedLoad.User;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A load of users, each of which has a thread while an iteration lasts. */
abstract class LoadOfUsers extends Load {

  /** What a user does in an iteration. */
  @FunctionalInterface
  interface Part {

    Latencies play(User user) throws IOException;
  }

  private final List<User> users = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  LoadOfUsers(Server server, String row) {
    super(server, row);
  }

  /** Opens the users; closes all if one cannot be opened. */
  final void open(int number, ClosedLoad.UserFactory factory) throws IOException {
    try {
      for (int user = 0; user < number; user++) {
        users.add(factory.create(user));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  final void reconnect() throws IOException {
    for (User user : users) {
      user.reconnect();
    }
  }

  final List<Future<Latencies>> begin(Part part) {
    return users.stream().map(user -> threads.submit(() -> part.play(user))).toList();
  }

  /** Waits for the end of what was begun. */
  static List<Latencies> await(List<Future<Latencies>> running) throws IOException, InterruptedException {
    List<Latencies> latencies = new ArrayList<>();
    for (Future<Latencies> each : running) {
      try {
        latencies.add(each.get());
      } catch (ExecutionException e) {
        throw new IOException("a user failed: " + e.getCause(), e);
      }
    }
    return latencies;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (User user : users) {
      user.close();
    }
  }
}
