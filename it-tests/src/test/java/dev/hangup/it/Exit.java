package dev.hangup.it;

import java.util.ArrayList;
import java.util.List;

/** The ways in which a caller can leave, said once for all protocols. */
enum Exit {
    FIN("closes its connection") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).get(paths.get(0));
            return party(client, client::close);
        }
    },
    CUT("ends TCP without a close_notify") {
        @Override
        boolean fits(Wire wire) {
            return wire == Wire.TLS || wire == Wire.TLS_12 || wire == Wire.NIO2_TLS;
        }

        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).get(paths.get(0));
            return party(client, client::cut);
        }
    },
    RST("resets its connection") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).get(paths.get(0));
            return party(client, client::rst);
        }
    },
    PIPELINED_FIN("closes, behind a pipelined request") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).get(paths.get(0));
            return party(client, () -> client.get("/next").close());
        }
    },
    PIPELINED_RST("resets, behind a pipelined request") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).get(paths.get(0));
            return party(client, () -> client.get("/next").rst());
        }
    },
    UNREAD_FIN("closes, behind a body that nobody reads") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).post(paths.get(0), BODY);
            return party(client, client::close);
        }
    },
    UNREAD_RST("resets, behind a body that nobody reads") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire).post(paths.get(0), BODY);
            return party(client, client::rst);
        }
    },
    HALF_BODY_FIN("closes in the middle of its body") {
        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            RawClient client = RawClient.connect(container, wire)
                    .send(RawClient.head("POST", paths.get(0), "Content-Length: " + 2 * BODY.length) + "\r\n")
                    .send(BODY);
            return party(client, client::close);
        }
    },
    RST_STREAM("resets its stream") {
        @Override
        boolean fits(Wire wire) {
            return isHttp2(wire);
        }

        /** As many as Tomcat works on at once, by default, for one connection. */
        @Override
        int atOnce() {
            return 20;
        }

        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            H2Client client = H2Client.connect(container, wire);
            List<H2Exchange> streams = open(client, paths);
            return party(client, () -> streams.forEach(H2Exchange::reset));
        }
    },
    LOST_FIN("closes the connection of five streams") {
        @Override
        boolean fits(Wire wire) {
            return isHttp2(wire);
        }

        @Override
        int atOnce() {
            return 5;
        }

        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            H2Client client = H2Client.connect(container, wire);
            open(client, paths);
            return party(client, client::cut);
        }
    },
    LOST_RST("resets the connection of five streams") {
        @Override
        boolean fits(Wire wire) {
            return isHttp2(wire);
        }

        @Override
        int atOnce() {
            return 5;
        }

        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            H2Client client = H2Client.connect(container, wire);
            open(client, paths);
            return party(client, client::rst);
        }
    },
    GOAWAY_FIN("says GOAWAY and closes, with five streams") {
        @Override
        boolean fits(Wire wire) {
            return isHttp2(wire);
        }

        @Override
        int atOnce() {
            return 5;
        }

        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            H2Client client = H2Client.connect(container, wire);
            open(client, paths);
            return party(() -> {}, client::close);
        }
    },
    PROXY_FIN("(a web server) closes its connection") {
        @Override
        boolean fits(Wire wire) {
            return wire == Wire.AJP;
        }

        @Override
        Party arrive(Container container, Wire wire, List<String> paths) throws Exception {
            AjpClient client = AjpClient.connect(container).send(paths.get(0));
            return party(client, client::close);
        }
    };

    private static final byte[] BODY = new byte[1_000];

    /** In words, after "the caller". */
    final String words;

    Exit(String words) {
        this.words = words;
    }

    boolean fits(Wire wire) {
        return !isHttp2(wire) && wire != Wire.AJP;
    }

    /** How many calls a party of callers has, who leave together. */
    int atOnce() {
        return 1;
    }

    /** Sends the requests, whose answers nobody will wait for. */
    abstract Party arrive(Container container, Wire wire, List<String> paths) throws Exception;

    /** Callers who leave together. */
    interface Party extends AutoCloseable {
        void leave() throws Exception;
    }

    private interface Leaving {
        void run() throws Exception;
    }

    static boolean isHttp2(Wire wire) {
        return wire == Wire.H2 || wire == Wire.H2C;
    }

    private static Party party(AutoCloseable client, Leaving leaving) {
        return new Party() {
            @Override
            public void leave() throws Exception {
                leaving.run();
            }

            @Override
            public void close() throws Exception {
                client.close();
            }
        };
    }

    private static List<H2Exchange> open(H2Client client, List<String> paths) throws Exception {
        List<H2Exchange> streams = new ArrayList<>();
        for (String path : paths) {
            streams.add(client.get(path));
            client.settle();
        }
        return streams;
    }
}
