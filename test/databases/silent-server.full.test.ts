import { testDisconnectingClients } from './silent-server.ts';

testDisconnectingClients({ isSilenced: true });
