package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;

/** A key space whose values outlive a move to other stores. */
public sealed interface StoredKind {

  /** Returns the name of the key space, as in {@link Stores}. */
  String name();

  /** Sessions. @param expired what becomes of those that expire */
  record Sessions<S extends Session>(String name, ValueCodec<S> codec, Expired expired) implements StoredKind {}

  /** Work that is due. */
  record Work<V>(String name, ValueCodec<V> codec) implements StoredKind {}
}
