package dev.gatehouse.perf.otp;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** People of one virtual user, in turn. Each has a code in a time step; when all have used theirs, the next step is awaited. */
final class PeopleInTurn {

  private static final long PAUSE_NANOS = 20_000_000;

  /** Who logs in now, with the code of which time step. */
  record Turn(int person, long step) {}

  private final int first;
  private final int number;
  private int turn;
  private final long[] used;

  /** @param first the first of {@code number} people */
  PeopleInTurn(int first, int number) {
    this.first = first;
    this.number = number;
    this.used = new long[number];
  }

  /** The people of each of several users. */
  static List<PeopleInTurn> of(int users, int people) {
    int each = people / users;
    return IntStream.range(0, users).mapToObj(user -> new PeopleInTurn(1 + user * each, each)).toList();
  }

  Turn next() {
    int now = turn;
    turn = (turn + 1) % number;
    return turn(now);
  }

  /** That person out of turn. */
  Turn next(int person) {
    return turn(person - first);
  }

  private Turn turn(int now) {
    while (OtpPeople.step() == used[now]) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    used[now] = OtpPeople.step();
    return new Turn(first + now, used[now]);
  }
}
